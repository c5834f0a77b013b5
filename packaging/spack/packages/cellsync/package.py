# The recipe of cellsync for Spack, which builds it from a checkout:
#
#   spack repo add packaging/spack
#   spack dev-build cellsync@0.2.0
from spack.package import *


class Cellsync(CMakePackage):
    """Offline clock synchronization of event traces with exact error bounds."""

    license("MIT")

    version("0.2.0")

    variant("isal", default=True, description="Inflate by ISA-L on x86-64")
    variant("otf2", default=True, description="Read OTF2 archives")
    variant("yajl", default=True, description="Read JSON: spans and profiles")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libxml2")
    depends_on("zlib-api")
    depends_on("isa-l", when="+isal target=x86_64:")
    depends_on("otf2@3.0:", when="+otf2")
    depends_on("yajl@2:", when="+yajl")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define_from_variant("CELLSYNC_IGZIP", "isal"),
            self.define_from_variant("CELLSYNC_OTF2", "otf2"),
            self.define_from_variant("CELLSYNC_YAJL", "yajl"),
        ]
