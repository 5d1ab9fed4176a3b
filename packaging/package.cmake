# The Debian packages, by CPack: surveybridge, and surveysandbox in a package of its own.
include(GNUInstallDirs)
install(TARGETS surveybridge RUNTIME COMPONENT surveybridge)
install(TARGETS surveysandbox RUNTIME COMPONENT surveysandbox)
install(FILES systemd/surveybridge.service systemd/surveybridge@.service
        DESTINATION lib/systemd/system COMPONENT surveybridge)
install(FILES packaging/surveybridge.sysusers DESTINATION lib/sysusers.d
        RENAME surveybridge.conf COMPONENT surveybridge)
install(FILES packaging/surveybridge.toml DESTINATION /etc/surveybridge
        PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ COMPONENT surveybridge)
install(DIRECTORY DESTINATION /etc/surveybridge/credentials
        DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
        COMPONENT surveybridge)
set(doc_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/surveybridge)
install(FILES README.md DESTINATION ${doc_folder} COMPONENT surveybridge)
install(DIRECTORY docs/ DESTINATION ${doc_folder} COMPONENT surveybridge)
install(DIRECTORY config/examples/ DESTINATION ${doc_folder}/examples COMPONENT surveybridge)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "surveybridge maintainers <maintainers@example.com>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL surveybridge surveysandbox)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_NAME surveybridge)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_SECTION database)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_DEPENDS "systemd, tzdata, ca-certificates")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_SUGGESTS "odbc-mariadb, odbc-postgresql")
set(CPACK_COMPONENT_SURVEYBRIDGE_DESCRIPTION
    "Bridge between a CRM's database and its survey service\n\
Sends each new transaction to the service exactly once, and brings answers,\n\
ratings and bounces back into tables of the CRM's database.")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/packaging/postinst;${PROJECT_SOURCE_DIR}/packaging/prerm;${PROJECT_SOURCE_DIR}/packaging/postrm;${PROJECT_SOURCE_DIR}/packaging/conffiles")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_SURVEYSANDBOX_PACKAGE_NAME surveysandbox)
set(CPACK_DEBIAN_SURVEYSANDBOX_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_SURVEYSANDBOX_DESCRIPTION
    "Stand-in for the survey service that surveybridge speaks to\n\
Accepts customers, lets them answer on a clock that runs faster, and breaks\n\
its answers on request. For trials and tests.")
include(CPack)
