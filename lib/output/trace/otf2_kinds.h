/* The kinds of OTF2 definitions, with the types of their parameters in libotf2: KINDn for an
 * archive or a location, GLOBAL_KIND only for an archive. ClockProperties, MappingTable, and
 * ClockOffset are missing, because cellsync does not copy them. The including file defines KIND and
 * GLOBAL_KIND(kind, parameters, names of the parameters). */
#define KIND2(kind, A, B) KIND(kind, (A a, B b), (a, b))
#define KIND3(kind, A, B, C) KIND(kind, (A a, B b, C c), (a, b, c))
#define KIND4(kind, A, B, C, D) KIND(kind, (A a, B b, C c, D d), (a, b, c, d))
#define KIND5(kind, A, B, C, D, E) KIND(kind, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define KIND6(kind, A, B, C, D, E, F) KIND(kind, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))
#define KIND7(kind, A, B, C, D, E, F, G)                                                           \
    KIND(kind, (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))
#define KIND9(kind, A, B, C, D, E, F, G, H, I)                                                     \
    KIND(kind, (A a, B b, C c, D d, E e, F f, G g, H h, I i), (a, b, c, d, e, f, g, h, i))
#define KIND10(kind, A, B, C, D, E, F, G, H, I, J)                                                 \
    KIND(kind, (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j), (a, b, c, d, e, f, g, h, i, j))

GLOBAL_KIND(Paradigm, (OTF2_Paradigm a, OTF2_StringRef b, OTF2_ParadigmClass c), (a, b, c))
GLOBAL_KIND(ParadigmProperty,
            (OTF2_Paradigm a, OTF2_ParadigmProperty b, OTF2_Type c, OTF2_AttributeValue d),
            (a, b, c, d))
GLOBAL_KIND(IoParadigm,
            (OTF2_IoParadigmRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_IoParadigmClass d,
             OTF2_IoParadigmFlag e, uint8_t f, const OTF2_IoParadigmProperty *g, const OTF2_Type *h,
             const OTF2_AttributeValue *i),
            (a, b, c, d, e, f, g, h, i))
KIND2(String, OTF2_StringRef, const char *)
KIND4(Attribute, OTF2_AttributeRef, OTF2_StringRef, OTF2_StringRef, OTF2_Type)
KIND4(SystemTreeNode, OTF2_SystemTreeNodeRef, OTF2_StringRef, OTF2_StringRef,
      OTF2_SystemTreeNodeRef)
KIND5(LocationGroup, OTF2_LocationGroupRef, OTF2_StringRef, OTF2_LocationGroupType,
      OTF2_SystemTreeNodeRef, OTF2_LocationGroupRef)
KIND5(Location, OTF2_LocationRef, OTF2_StringRef, OTF2_LocationType, uint64_t,
      OTF2_LocationGroupRef)
KIND10(Region, OTF2_RegionRef, OTF2_StringRef, OTF2_StringRef, OTF2_StringRef, OTF2_RegionRole,
       OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, uint32_t, uint32_t)
KIND5(Callsite, OTF2_CallsiteRef, OTF2_StringRef, uint32_t, OTF2_RegionRef, OTF2_RegionRef)
KIND3(Callpath, OTF2_CallpathRef, OTF2_CallpathRef, OTF2_RegionRef)
KIND7(Group, OTF2_GroupRef, OTF2_StringRef, OTF2_GroupType, OTF2_Paradigm, OTF2_GroupFlag, uint32_t,
      const uint64_t *)
KIND9(MetricMember, OTF2_MetricMemberRef, OTF2_StringRef, OTF2_StringRef, OTF2_MetricType,
      OTF2_MetricMode, OTF2_Type, OTF2_Base, int64_t, OTF2_StringRef)
KIND5(MetricClass, OTF2_MetricRef, uint8_t, const OTF2_MetricMemberRef *, OTF2_MetricOccurrence,
      OTF2_RecorderKind)
KIND5(MetricInstance, OTF2_MetricRef, OTF2_MetricRef, OTF2_LocationRef, OTF2_MetricScope, uint64_t)
KIND5(Comm, OTF2_CommRef, OTF2_StringRef, OTF2_GroupRef, OTF2_CommRef, OTF2_CommFlag)
KIND3(Parameter, OTF2_ParameterRef, OTF2_StringRef, OTF2_ParameterType)
KIND4(RmaWin, OTF2_RmaWinRef, OTF2_StringRef, OTF2_CommRef, OTF2_RmaWinFlag)
KIND2(MetricClassRecorder, OTF2_MetricRef, OTF2_LocationRef)
KIND4(SystemTreeNodeProperty, OTF2_SystemTreeNodeRef, OTF2_StringRef, OTF2_Type,
      OTF2_AttributeValue)
KIND2(SystemTreeNodeDomain, OTF2_SystemTreeNodeRef, OTF2_SystemTreeDomain)
KIND4(LocationGroupProperty, OTF2_LocationGroupRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue)
KIND4(LocationProperty, OTF2_LocationRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue)
KIND4(CartDimension, OTF2_CartDimensionRef, OTF2_StringRef, uint32_t, OTF2_CartPeriodicity)
KIND5(CartTopology, OTF2_CartTopologyRef, OTF2_StringRef, OTF2_CommRef, uint8_t,
      const OTF2_CartDimensionRef *)
KIND4(CartCoordinate, OTF2_CartTopologyRef, uint32_t, uint8_t, const uint32_t *)
KIND3(SourceCodeLocation, OTF2_SourceCodeLocationRef, OTF2_StringRef, uint32_t)
KIND4(CallingContext, OTF2_CallingContextRef, OTF2_RegionRef, OTF2_SourceCodeLocationRef,
      OTF2_CallingContextRef)
KIND4(CallingContextProperty, OTF2_CallingContextRef, OTF2_StringRef, OTF2_Type,
      OTF2_AttributeValue)
KIND6(InterruptGenerator, OTF2_InterruptGeneratorRef, OTF2_StringRef, OTF2_InterruptGeneratorMode,
      OTF2_Base, int64_t, uint64_t)
KIND4(IoFileProperty, OTF2_IoFileRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue)
KIND3(IoRegularFile, OTF2_IoFileRef, OTF2_StringRef, OTF2_SystemTreeNodeRef)
KIND3(IoDirectory, OTF2_IoFileRef, OTF2_StringRef, OTF2_SystemTreeNodeRef)
KIND7(IoHandle, OTF2_IoHandleRef, OTF2_StringRef, OTF2_IoFileRef, OTF2_IoParadigmRef,
      OTF2_IoHandleFlag, OTF2_CommRef, OTF2_IoHandleRef)
KIND3(IoPreCreatedHandleState, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoStatusFlag)
KIND4(CallpathParameter, OTF2_CallpathRef, OTF2_ParameterRef, OTF2_Type, OTF2_AttributeValue)
KIND6(InterComm, OTF2_CommRef, OTF2_StringRef, OTF2_GroupRef, OTF2_GroupRef, OTF2_CommRef,
      OTF2_CommFlag)
