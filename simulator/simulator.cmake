# pdtsim(1) uses no code of the library but base, because it is there to test the library.
add_program(pdtsim programs simulator main tool base ZLIB::ZLIB)
