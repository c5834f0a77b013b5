/* The kinds of OTF2 definitions, with the parameters of libotf2: KIND(name, parameters, their
 * names) for an archive or a location, GLOBAL_KIND only for an archive. ClockProperties,
 * MappingTable, and ClockOffset are missing, because cellsync does not copy them. */
GLOBAL_KIND(Paradigm, (OTF2_Paradigm a, OTF2_StringRef b, OTF2_ParadigmClass c), (a, b, c))
GLOBAL_KIND(ParadigmProperty,
            (OTF2_Paradigm a, OTF2_ParadigmProperty b, OTF2_Type c, OTF2_AttributeValue d),
            (a, b, c, d))
GLOBAL_KIND(IoParadigm,
            (OTF2_IoParadigmRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_IoParadigmClass d,
             OTF2_IoParadigmFlag e, uint8_t f, const OTF2_IoParadigmProperty *g, const OTF2_Type *h,
             const OTF2_AttributeValue *i),
            (a, b, c, d, e, f, g, h, i))
KIND(String, (OTF2_StringRef a, const char *b), (a, b))
KIND(Attribute, (OTF2_AttributeRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_Type d),
     (a, b, c, d))
KIND(SystemTreeNode,
     (OTF2_SystemTreeNodeRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_SystemTreeNodeRef d),
     (a, b, c, d))
KIND(LocationGroup,
     (OTF2_LocationGroupRef a, OTF2_StringRef b, OTF2_LocationGroupType c, OTF2_SystemTreeNodeRef d,
      OTF2_LocationGroupRef e),
     (a, b, c, d, e))
KIND(Location,
     (OTF2_LocationRef a, OTF2_StringRef b, OTF2_LocationType c, uint64_t d,
      OTF2_LocationGroupRef e),
     (a, b, c, d, e))
KIND(Region,
     (OTF2_RegionRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_StringRef d, OTF2_RegionRole e,
      OTF2_Paradigm f, OTF2_RegionFlag g, OTF2_StringRef h, uint32_t i, uint32_t j),
     (a, b, c, d, e, f, g, h, i, j))
KIND(Callsite,
     (OTF2_CallsiteRef a, OTF2_StringRef b, uint32_t c, OTF2_RegionRef d, OTF2_RegionRef e),
     (a, b, c, d, e))
KIND(Callpath, (OTF2_CallpathRef a, OTF2_CallpathRef b, OTF2_RegionRef c), (a, b, c))
KIND(Group,
     (OTF2_GroupRef a, OTF2_StringRef b, OTF2_GroupType c, OTF2_Paradigm d, OTF2_GroupFlag e,
      uint32_t f, const uint64_t *g),
     (a, b, c, d, e, f, g))
KIND(MetricMember,
     (OTF2_MetricMemberRef a, OTF2_StringRef b, OTF2_StringRef c, OTF2_MetricType d,
      OTF2_MetricMode e, OTF2_Type f, OTF2_Base g, int64_t h, OTF2_StringRef i),
     (a, b, c, d, e, f, g, h, i))
KIND(MetricClass,
     (OTF2_MetricRef a, uint8_t b, const OTF2_MetricMemberRef *c, OTF2_MetricOccurrence d,
      OTF2_RecorderKind e),
     (a, b, c, d, e))
KIND(MetricInstance,
     (OTF2_MetricRef a, OTF2_MetricRef b, OTF2_LocationRef c, OTF2_MetricScope d, uint64_t e),
     (a, b, c, d, e))
KIND(Comm, (OTF2_CommRef a, OTF2_StringRef b, OTF2_GroupRef c, OTF2_CommRef d, OTF2_CommFlag e),
     (a, b, c, d, e))
KIND(Parameter, (OTF2_ParameterRef a, OTF2_StringRef b, OTF2_ParameterType c), (a, b, c))
KIND(RmaWin, (OTF2_RmaWinRef a, OTF2_StringRef b, OTF2_CommRef c, OTF2_RmaWinFlag d), (a, b, c, d))
KIND(MetricClassRecorder, (OTF2_MetricRef a, OTF2_LocationRef b), (a, b))
KIND(SystemTreeNodeProperty,
     (OTF2_SystemTreeNodeRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d), (a, b, c, d))
KIND(SystemTreeNodeDomain, (OTF2_SystemTreeNodeRef a, OTF2_SystemTreeDomain b), (a, b))
KIND(LocationGroupProperty,
     (OTF2_LocationGroupRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d), (a, b, c, d))
KIND(LocationProperty, (OTF2_LocationRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d),
     (a, b, c, d))
KIND(CartDimension, (OTF2_CartDimensionRef a, OTF2_StringRef b, uint32_t c, OTF2_CartPeriodicity d),
     (a, b, c, d))
KIND(CartTopology,
     (OTF2_CartTopologyRef a, OTF2_StringRef b, OTF2_CommRef c, uint8_t d,
      const OTF2_CartDimensionRef *e),
     (a, b, c, d, e))
KIND(CartCoordinate, (OTF2_CartTopologyRef a, uint32_t b, uint8_t c, const uint32_t *d),
     (a, b, c, d))
KIND(SourceCodeLocation, (OTF2_SourceCodeLocationRef a, OTF2_StringRef b, uint32_t c), (a, b, c))
KIND(CallingContext,
     (OTF2_CallingContextRef a, OTF2_RegionRef b, OTF2_SourceCodeLocationRef c,
      OTF2_CallingContextRef d),
     (a, b, c, d))
KIND(CallingContextProperty,
     (OTF2_CallingContextRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d), (a, b, c, d))
KIND(InterruptGenerator,
     (OTF2_InterruptGeneratorRef a, OTF2_StringRef b, OTF2_InterruptGeneratorMode c, OTF2_Base d,
      int64_t e, uint64_t f),
     (a, b, c, d, e, f))
KIND(IoFileProperty, (OTF2_IoFileRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d),
     (a, b, c, d))
KIND(IoRegularFile, (OTF2_IoFileRef a, OTF2_StringRef b, OTF2_SystemTreeNodeRef c), (a, b, c))
KIND(IoDirectory, (OTF2_IoFileRef a, OTF2_StringRef b, OTF2_SystemTreeNodeRef c), (a, b, c))
KIND(IoHandle,
     (OTF2_IoHandleRef a, OTF2_StringRef b, OTF2_IoFileRef c, OTF2_IoParadigmRef d,
      OTF2_IoHandleFlag e, OTF2_CommRef f, OTF2_IoHandleRef g),
     (a, b, c, d, e, f, g))
KIND(IoPreCreatedHandleState, (OTF2_IoHandleRef a, OTF2_IoAccessMode b, OTF2_IoStatusFlag c),
     (a, b, c))
KIND(CallpathParameter,
     (OTF2_CallpathRef a, OTF2_ParameterRef b, OTF2_Type c, OTF2_AttributeValue d), (a, b, c, d))
KIND(InterComm,
     (OTF2_CommRef a, OTF2_StringRef b, OTF2_GroupRef c, OTF2_GroupRef d, OTF2_CommRef e,
      OTF2_CommFlag f),
     (a, b, c, d, e, f))
