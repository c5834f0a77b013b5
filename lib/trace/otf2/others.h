/* Lists the OTF2 events that do not affect the order of events: the kind of the record, its fields
 * (see otf2_records.c), the event in names of libotf2, its name in traces, and the types of its
 * parameters. The includer defines the macros OTHER0 to OTHER6, and this file undefines them. */
OTHER1(10, "F", BufferFlush, "BUFFER_FLUSH", OTF2_TimeStamp)
OTHER1(11, "1", MeasurementOnOff, "MEASUREMENT_ON_OFF", OTF2_MeasurementMode)
OTHER1(16, "=8", MpiIsendComplete, "MPI_ISEND_COMPLETE", uint64_t)
OTHER1(20, "=8", MpiRequestTest, "MPI_REQUEST_TEST", uint64_t)
OTHER1(24, "=4", OmpFork, "OMP_FORK", uint32_t)
OTHER0(25, "", OmpJoin, "OMP_JOIN")
OTHER2(26, "44", OmpAcquireLock, "OMP_ACQUIRE_LOCK", uint32_t, uint32_t)
OTHER2(27, "44", OmpReleaseLock, "OMP_RELEASE_LOCK", uint32_t, uint32_t)
OTHER1(28, "=8", OmpTaskCreate, "OMP_TASK_CREATE", uint64_t)
OTHER1(29, "=8", OmpTaskSwitch, "OMP_TASK_SWITCH", uint64_t)
OTHER1(30, "=8", OmpTaskComplete, "OMP_TASK_COMPLETE", uint64_t)
OTHER4(31, "4nQ", Metric, "METRIC", OTF2_MetricRef, uint8_t, const OTF2_Type *,
       const OTF2_MetricValue *)
OTHER2(32, "44", ParameterString, "PARAMETER_STRING", OTF2_ParameterRef, OTF2_StringRef)
OTHER2(33, "48", ParameterInt, "PARAMETER_INT", OTF2_ParameterRef, int64_t)
OTHER2(34, "48", ParameterUnsignedInt, "PARAMETER_UNSIGNED_INT", OTF2_ParameterRef, uint64_t)
OTHER1(35, "4", RmaWinCreate, "RMA_WIN_CREATE", OTF2_RmaWinRef)
OTHER1(36, "4", RmaWinDestroy, "RMA_WIN_DESTROY", OTF2_RmaWinRef)
OTHER0(37, "", RmaCollectiveBegin, "RMA_COLLECTIVE_BEGIN")
OTHER6(38, "144488", RmaCollectiveEnd, "RMA_COLLECTIVE_END", OTF2_CollectiveOp, OTF2_RmaSyncLevel,
       OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t)
OTHER3(39, "444", RmaGroupSync, "RMA_GROUP_SYNC", OTF2_RmaSyncLevel, OTF2_RmaWinRef, OTF2_GroupRef)
OTHER4(40, "4481", RmaRequestLock, "RMA_REQUEST_LOCK", OTF2_RmaWinRef, uint32_t, uint64_t,
       OTF2_LockType)
OTHER4(41, "4481", RmaAcquireLock, "RMA_ACQUIRE_LOCK", OTF2_RmaWinRef, uint32_t, uint64_t,
       OTF2_LockType)
OTHER4(42, "4481", RmaTryLock, "RMA_TRY_LOCK", OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType)
OTHER3(43, "448", RmaReleaseLock, "RMA_RELEASE_LOCK", OTF2_RmaWinRef, uint32_t, uint64_t)
OTHER3(44, "441", RmaSync, "RMA_SYNC", OTF2_RmaWinRef, uint32_t, OTF2_RmaSyncType)
OTHER1(45, "4", RmaWaitChange, "RMA_WAIT_CHANGE", OTF2_RmaWinRef)
OTHER4(46, "4488", RmaPut, "RMA_PUT", OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t)
OTHER4(47, "4488", RmaGet, "RMA_GET", OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t)
OTHER6(48, "441888", RmaAtomic, "RMA_ATOMIC", OTF2_RmaWinRef, uint32_t, OTF2_RmaAtomicType,
       uint64_t, uint64_t, uint64_t)
OTHER2(49, "48", RmaOpCompleteBlocking, "RMA_OP_COMPLETE_BLOCKING", OTF2_RmaWinRef, uint64_t)
OTHER2(50, "48", RmaOpCompleteNonBlocking, "RMA_OP_COMPLETE_NON_BLOCKING", OTF2_RmaWinRef, uint64_t)
OTHER2(51, "48", RmaOpTest, "RMA_OP_TEST", OTF2_RmaWinRef, uint64_t)
OTHER2(52, "48", RmaOpCompleteRemote, "RMA_OP_COMPLETE_REMOTE", OTF2_RmaWinRef, uint64_t)
OTHER2(53, "14", ThreadFork, "THREAD_FORK", OTF2_Paradigm, uint32_t)
OTHER1(54, "1", ThreadJoin, "THREAD_JOIN", OTF2_Paradigm)
OTHER1(55, "4", ThreadTeamBegin, "THREAD_TEAM_BEGIN", OTF2_CommRef)
OTHER1(56, "4", ThreadTeamEnd, "THREAD_TEAM_END", OTF2_CommRef)
OTHER3(57, "144", ThreadAcquireLock, "THREAD_ACQUIRE_LOCK", OTF2_Paradigm, uint32_t, uint32_t)
OTHER3(58, "144", ThreadReleaseLock, "THREAD_RELEASE_LOCK", OTF2_Paradigm, uint32_t, uint32_t)
OTHER3(59, "444", ThreadTaskCreate, "THREAD_TASK_CREATE", OTF2_CommRef, uint32_t, uint32_t)
OTHER3(60, "444", ThreadTaskSwitch, "THREAD_TASK_SWITCH", OTF2_CommRef, uint32_t, uint32_t)
OTHER3(61, "444", ThreadTaskComplete, "THREAD_TASK_COMPLETE", OTF2_CommRef, uint32_t, uint32_t)
OTHER2(62, "48", ThreadCreate, "THREAD_CREATE", OTF2_CommRef, uint64_t)
OTHER2(63, "48", ThreadBegin, "THREAD_BEGIN", OTF2_CommRef, uint64_t)
OTHER2(64, "48", ThreadWait, "THREAD_WAIT", OTF2_CommRef, uint64_t)
OTHER2(65, "48", ThreadEnd, "THREAD_END", OTF2_CommRef, uint64_t)
OTHER2(66, "44", CallingContextEnter, "CALLING_CONTEXT_ENTER", OTF2_CallingContextRef, uint32_t)
OTHER1(67, "4", CallingContextLeave, "CALLING_CONTEXT_LEAVE", OTF2_CallingContextRef)
OTHER3(68, "444", CallingContextSample, "CALLING_CONTEXT_SAMPLE", OTF2_CallingContextRef, uint32_t,
       OTF2_InterruptGeneratorRef)
OTHER4(69, "4144", IoCreateHandle, "IO_CREATE_HANDLE", OTF2_IoHandleRef, OTF2_IoAccessMode,
       OTF2_IoCreationFlag, OTF2_IoStatusFlag)
OTHER1(70, "4", IoDestroyHandle, "IO_DESTROY_HANDLE", OTF2_IoHandleRef)
OTHER3(71, "444", IoDuplicateHandle, "IO_DUPLICATE_HANDLE", OTF2_IoHandleRef, OTF2_IoHandleRef,
       OTF2_IoStatusFlag)
OTHER4(72, "4818", IoSeek, "IO_SEEK", OTF2_IoHandleRef, int64_t, OTF2_IoSeekOption, uint64_t)
OTHER2(73, "44", IoChangeStatusFlags, "IO_CHANGE_STATUS_FLAGS", OTF2_IoHandleRef, OTF2_IoStatusFlag)
OTHER2(74, "14", IoDeleteFile, "IO_DELETE_FILE", OTF2_IoParadigmRef, OTF2_IoFileRef)
OTHER5(75, "41488", IoOperationBegin, "IO_OPERATION_BEGIN", OTF2_IoHandleRef, OTF2_IoOperationMode,
       OTF2_IoOperationFlag, uint64_t, uint64_t)
OTHER2(76, "48", IoOperationTest, "IO_OPERATION_TEST", OTF2_IoHandleRef, uint64_t)
OTHER2(77, "48", IoOperationIssued, "IO_OPERATION_ISSUED", OTF2_IoHandleRef, uint64_t)
OTHER3(78, "488", IoOperationComplete, "IO_OPERATION_COMPLETE", OTF2_IoHandleRef, uint64_t,
       uint64_t)
OTHER2(79, "48", IoOperationCancelled, "IO_OPERATION_CANCELLED", OTF2_IoHandleRef, uint64_t)
OTHER2(80, "41", IoAcquireLock, "IO_ACQUIRE_LOCK", OTF2_IoHandleRef, OTF2_LockType)
OTHER2(81, "41", IoReleaseLock, "IO_RELEASE_LOCK", OTF2_IoHandleRef, OTF2_LockType)
OTHER2(82, "41", IoTryLock, "IO_TRY_LOCK", OTF2_IoHandleRef, OTF2_LockType)
OTHER3(83, "4N4", ProgramBegin, "PROGRAM_BEGIN", OTF2_StringRef, uint32_t, const OTF2_StringRef *)
OTHER1(84, "8", ProgramEnd, "PROGRAM_END", int64_t)
OTHER1(87, "4", CommCreate, "COMM_CREATE", OTF2_CommRef)
OTHER1(88, "4", CommDestroy, "COMM_DESTROY", OTF2_CommRef)
#undef OTHER0
#undef OTHER1
#undef OTHER2
#undef OTHER3
#undef OTHER4
#undef OTHER5
#undef OTHER6
