# The Debian packages, by CPack: surveybridge, and surveysandbox with the programs for trials and
# tests (the stand-in and, where the tests are built, the simulator).
include(GNUInstallDirs)
# scripts/package builds the programs that it packs; the tests need not be built for that.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(maintainer "surveybridge maintainers <maintainers@example.com>")
set(conffile_permissions OWNER_READ OWNER_WRITE GROUP_READ)

# What Debian wants of every package.
function(install_documents package)
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
  set(changelog ${CMAKE_BINARY_DIR}/packaging/${package}/changelog.gz)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/packaging/${package})
  set(text ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -R -r ${text}
    OUTPUT_VARIABLE today OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND awk -v package=${package} -v maintainer=${maintainer} -v version=${PROJECT_VERSION}
            -v today=${today} -f ${PROJECT_SOURCE_DIR}/packaging/changelog.awk ${text}
    COMMAND gzip -9n
    OUTPUT_FILE ${changelog} COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${changelog} packaging/copyright DESTINATION ${folder} COMPONENT ${package})
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md packaging/changelog.awk)

install(TARGETS surveybridge RUNTIME COMPONENT surveybridge)
install(FILES systemd/surveybridge.service systemd/surveybridge@.service
        systemd/surveybridge-verify.service systemd/surveybridge-verify.timer
        systemd/surveybridge-alert@.service
        DESTINATION /lib/systemd/system COMPONENT surveybridge)
install(DIRECTORY systemd/surveybridge-alert@surveybridge-verify.service.d
        DESTINATION /lib/systemd/system COMPONENT surveybridge)
install(FILES packaging/surveybridge.sysusers DESTINATION lib/sysusers.d
        RENAME surveybridge.conf COMPONENT surveybridge)
install(FILES packaging/surveybridge.sudoers DESTINATION /etc/sudoers.d RENAME surveybridge
        PERMISSIONS OWNER_READ GROUP_READ COMPONENT surveybridge)
install(FILES packaging/surveybridge.toml DESTINATION /etc/surveybridge
        PERMISSIONS ${conffile_permissions} COMPONENT surveybridge)
install(DIRECTORY DESTINATION /etc/surveybridge/credentials
        DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
        COMPONENT surveybridge)
set(doc_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/surveybridge)
install(FILES README.md DESTINATION ${doc_folder} COMPONENT surveybridge)
install(DIRECTORY docs/ DESTINATION ${doc_folder} COMPONENT surveybridge)
install(DIRECTORY config/examples/ DESTINATION ${doc_folder}/examples COMPONENT surveybridge)
install(DIRECTORY monitoring/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/surveybridge/monitoring
        COMPONENT surveybridge)
install_documents(surveybridge)

# Manual pages, completions and the schema of the configuration, by the program itself.
set(manual ${CMAKE_BINARY_DIR}/packaging/manual)
add_custom_command(
  OUTPUT ${manual}/complete
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND surveybridge manual ${manual}
  COMMAND gzip -9nr ${manual}/man1 ${manual}/man5
  COMMAND ${CMAKE_COMMAND} -E touch ${manual}/complete
  DEPENDS surveybridge)
add_custom_target(manual ALL DEPENDS ${manual}/complete)
install(DIRECTORY ${manual}/man1 ${manual}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR}
        COMPONENT surveybridge)
set(completions ${CMAKE_INSTALL_DATAROOTDIR})
install(FILES ${manual}/bash/surveybridge DESTINATION ${completions}/bash-completion/completions
        COMPONENT surveybridge)
install(FILES ${manual}/zsh/_surveybridge DESTINATION ${completions}/zsh/vendor-completions
        COMPONENT surveybridge)
install(FILES ${manual}/fish/surveybridge.fish DESTINATION ${completions}/fish/vendor_completions.d
        COMPONENT surveybridge)

install(FILES ${manual}/surveybridge.schema.json
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/surveybridge COMPONENT surveybridge)

install(TARGETS surveysandbox RUNTIME COMPONENT surveysandbox)
install_documents(surveysandbox)
# The manual pages of the programs for trials: what they print with --help.
function(install_help_page program about)
  set(page ${CMAKE_BINARY_DIR}/packaging/help/${program}.1)
  add_custom_command(
    OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/packaging/help
    COMMAND ${program} --help > ${page}.text
    COMMAND awk -v program=${program} -v about=${about} -v version=${PROJECT_VERSION} -f
            ${CMAKE_SOURCE_DIR}/packaging/help_page.awk ${page}.text > ${page}
    COMMAND gzip -9nf ${page}
    DEPENDS ${program} ${CMAKE_SOURCE_DIR}/packaging/help_page.awk
    VERBATIM)
  add_custom_target(${program}_page DEPENDS ${page}.gz)
  add_dependencies(manual ${program}_page)
  install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT surveysandbox)
endfunction()
install_help_page(surveysandbox "a stand-in for the survey service")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL surveybridge surveysandbox)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_NAME surveybridge)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_SECTION database)
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_DEPENDS "systemd, tzdata, ca-certificates")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_RECOMMENDS "sudo")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_SUGGESTS "odbc-mariadb, odbc-postgresql")
set(CPACK_COMPONENT_SURVEYBRIDGE_DESCRIPTION
    "Bridge between a CRM's database and its survey service\n\
Sends each new transaction to the service exactly once, and brings answers,\n\
ratings and bounces back into tables of the CRM's database.")
set(maintainer_scripts "")
foreach(script postinst prerm postrm conffiles)
  list(APPEND maintainer_scripts ${PROJECT_SOURCE_DIR}/packaging/${script})
endforeach()
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_CONTROL_EXTRA "${maintainer_scripts}")
set(CPACK_DEBIAN_SURVEYBRIDGE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_SURVEYSANDBOX_PACKAGE_NAME surveysandbox)
set(CPACK_DEBIAN_SURVEYSANDBOX_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_SURVEYSANDBOX_PACKAGE_SUGGESTS "surveybridge")
set(CPACK_COMPONENT_SURVEYSANDBOX_DESCRIPTION
    "Stand-in for the survey service that surveybridge speaks to\n\
Accepts customers, lets them answer on a clock that runs faster, and breaks\n\
its answers on request. For trials and tests. Also surveysimulate, which runs\n\
the bridge through random failures.")
include(CPack)
