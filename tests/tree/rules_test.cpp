// Each rule is tested with a tree that breaks it and with one that only looks like it.
#include "tests/tree/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tree {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Tree two(const std::string& from, const std::string& to) {
  return {{from, "#include \"" + to + "\"\n"}, {to, "// Something.\n#pragma once\n"}};
}

TEST(Includes, PointDownOnly) {
  EXPECT_THAT(includes_that_point_up(two("daemon/a.cpp", "mapping/b.hpp")), IsEmpty());
  EXPECT_THAT(includes_that_point_up(two("connectors/crm/a.cpp", "config/b.hpp")), IsEmpty());
  EXPECT_THAT(includes_that_point_up(two("mapping/a.cpp", "daemon/b.hpp")), SizeIs(1));
  EXPECT_THAT(includes_that_point_up(two("config/a.cpp", "mapping/b.hpp")), SizeIs(1));
}

TEST(Includes, KeepTheOutsideWorldsApart) {
  EXPECT_THAT(includes_that_point_up(two("connectors/crm/a.cpp", "connectors/service/b.hpp")),
              ElementsAre("connectors/crm/a.cpp:1: may not include connectors/service/b.hpp"));
}

TEST(Includes, KeepTheSandboxOnItsOwn) {
  EXPECT_THAT(includes_that_point_up(two("sandbox/a.cpp", "mapping/b.hpp")), SizeIs(1));
  EXPECT_THAT(includes_that_point_up(two("daemon/a.cpp", "sandbox/b.hpp")), SizeIs(1));
  EXPECT_THAT(includes_that_point_up(two("tests/daemon/a.cpp", "sandbox/b.hpp")), IsEmpty());
}

TEST(Includes, AreWrittenFromTheRoot) {
  EXPECT_THAT(includes_that_point_up({{"mapping/a.cpp", "#include \"value.hpp\"\n"},
                                      {"mapping/values/value.hpp", "// A value.\n"}}),
              ElementsAre(StartsWith("mapping/a.cpp:1: no file value.hpp")));
}

TEST(Rooms, AreIncludedInTheirOrderOnly) {
  EXPECT_THAT(includes_that_climb(two("daemon/push/a.cpp", "daemon/suppress/b.hpp")), IsEmpty());
  EXPECT_THAT(includes_that_climb(two("daemon/suppress/a.cpp", "daemon/push/b.hpp")),
              ElementsAre("daemon/suppress/a.cpp:1: climbs to daemon/push/b.hpp"));
  EXPECT_THAT(includes_that_climb(two("mapping/values/a.cpp", "mapping/codec/b.hpp")), SizeIs(1));
}

TEST(Rooms, AreAllInTheTable) {
  EXPECT_THAT(includes_that_climb({{"daemon/attic/a.cpp", ""}}),
              ElementsAre(HasSubstr("daemon/attic/a.cpp:1: its folder is no room")));
}

TEST(Rooms, FormNoCircle) {
  const File there{"daemon/push/a.cpp", "#include \"daemon/pace/b.hpp\"\n"};
  const File back{"daemon/pace/b.cpp", "#include \"daemon/lists/c.hpp\"\n"};
  const File round{"daemon/lists/c.hpp", "#include \"daemon/push/a.hpp\"\n"};
  EXPECT_THAT(circles_of_rooms({there, back}), IsEmpty());
  EXPECT_THAT(circles_of_rooms({there, back, round}), SizeIs(3));
}

TEST(Rooms, SayWhatLivesThere) {
  const File source{"daemon/push/a.cpp", ""};
  EXPECT_THAT(rooms_without_a_readme({source, {"daemon/push/README.md", "A\nB\n"}}), IsEmpty());
  EXPECT_THAT(rooms_without_a_readme({source, {"daemon/push/README.md", "A"}}), SizeIs(1));
  EXPECT_THAT(rooms_without_a_readme({source}), SizeIs(1));
}

TEST(Documents, ThatAreCitedAreThere) {
  const File guide{"docs/GUIDE.md", "see SERVICE.md"};
  const File service{"docs/SERVICE.md", "The service."};
  EXPECT_THAT(documents_not_there({guide, service}), IsEmpty());
  EXPECT_THAT(documents_not_there({guide}), ElementsAre(HasSubstr("cites SERVICE.md")));
  EXPECT_THAT(documents_not_there({{"daemon/a.cpp", "// docs/OTHER.md says why\n"}, service}),
              ElementsAre(HasSubstr("daemon/a.cpp:1: cites docs/OTHER.md")));
  EXPECT_THAT(documents_not_there({{"daemon/a.cpp", "f(root + \"/docs/SERVICE.md\");\n"}, service}),
              IsEmpty());
  EXPECT_THAT(documents_not_there({{"tests/config/a.toml", "# see OTHER.md\n"}}), SizeIs(1));
}

TEST(Sources, ThatAreCitedInCommentsAreThere) {
  const File source{"daemon/a.cpp", "#include \"x.hpp\"\nint a;  // see b.hpp\n"};
  EXPECT_THAT(documents_not_there({source}), ElementsAre(HasSubstr("daemon/a.cpp:2: cites b.hpp")));
  EXPECT_THAT(documents_not_there({source, {"daemon/b.hpp", "// B.\n"}}), IsEmpty());
}

TEST(Rooms, StandInTheDocumentInTheirOrder) {
  EXPECT_THAT(rooms_missing_in_the_document({}), SizeIs(1));
  EXPECT_THAT(
      rooms_missing_in_the_document({{"docs/ARCHITECTURE.md", "# A\n\n## Rooms\n`config`.\n"}}),
      ElementsAre(HasSubstr("does not name config/toml")));
}

TEST(Libraries, AreIncludedInTheirFilesOnly) {
  const std::string text = "#include <curl/curl.h>\n";
  EXPECT_THAT(libraries_out_of_their_place({{"connectors/service/curl_transport.cpp", text}}),
              IsEmpty());
  EXPECT_THAT(libraries_out_of_their_place({{"daemon/push/push_job.cpp", text}}), SizeIs(1));
}

TEST(Libraries, AreFreeToTests) {
  EXPECT_THAT(
      libraries_out_of_their_place({{"tests/service/a.cpp", "#include <boost/asio.hpp>\n"}}),
      IsEmpty());
}

TEST(Purity, AllowsNeitherClockNorThreadNorStream) {
  EXPECT_THAT(impurities({{"mapping/a.cpp", "#include <thread>\n"}}), SizeIs(1));
  EXPECT_THAT(impurities({{"mapping/a.cpp", "#include <spdlog/spdlog.h>\n"}}), SizeIs(1));
  EXPECT_THAT(impurities({{"config/a.cpp", "auto t = std::chrono::system_clock::now();\n"}}),
              SizeIs(1));
}

TEST(Purity, ConcernsThePureRoomsOnly) {
  EXPECT_THAT(impurities({{"daemon/runtime/scheduler.cpp", "#include <thread>\n"}}), IsEmpty());
}

TEST(Purity, ConcernsWhateverSaysSoOfItself) {
  const File header{"daemon/plan.hpp", "// A plan. Pure.\n#pragma once\n"};
  const File source{"daemon/plan.cpp", "#include <thread>\n"};
  EXPECT_THAT(impurities({header, source}), SizeIs(1));
  EXPECT_THAT(impurities({{"daemon/plan.hpp", "// A plan.\n#pragma once\n// Pure.\n"}, source}),
              IsEmpty());
}

TEST(Purity, ReadsCodeNotComments) {
  EXPECT_THAT(impurities({{"mapping/a.cpp", "// never getenv\nf(\"getenv\");\n"}}), IsEmpty());
}

TEST(Purity, ExceptsAFileForOneThingOnly) {
  EXPECT_THAT(impurities({{"config/secret.cpp", "auto x = std::getenv(name);\n"}}), IsEmpty());
  EXPECT_THAT(impurities({{"config/file.cpp", "auto x = std::getenv(name);\n"}}), SizeIs(1));
}

TEST(Names, SaySomething) {
  EXPECT_THAT(empty_names({{"daemon/job_manager.cpp", ""}}), SizeIs(1));
  EXPECT_THAT(empty_names({{"daemon/utils.hpp", ""}}), SizeIs(1));
  EXPECT_THAT(empty_names({{"daemon/data.hpp", ""}}), SizeIs(1));
  EXPECT_THAT(empty_names({{"mapping/data_column.hpp", "class DataColumn {};\n"}}), IsEmpty());
}

TEST(Names, SaySomethingAsTypesToo) {
  EXPECT_THAT(empty_names({{"daemon/job/job.hpp", "int x;\nclass JobManager final {\n"}}),
              ElementsAre("daemon/job/job.hpp:2: says nothing: JobManager"));
  EXPECT_THAT(empty_names({{"daemon/job/job.hpp", "// class JobManager\n"}}), IsEmpty());
}

TEST(Headers, OpenWithACommentAndAGuard) {
  EXPECT_THAT(silent_headers({{"daemon/a.hpp", "// A job.\n#pragma once\n"}}), IsEmpty());
  EXPECT_THAT(silent_headers({{"daemon/a.hpp", "#include <x>\n#pragma once\n"}}), SizeIs(1));
  EXPECT_THAT(silent_headers({{"daemon/a.hpp", "// A job.\nint x;\n"}}), SizeIs(1));
}

TEST(Headers, HaveTwoUsersBesidesTheirSource) {
  const std::string text = "#include \"daemon/a.hpp\"\n";
  const File header{"daemon/a.hpp", "// A.\n"}, source{"daemon/a.cpp", text};
  const File user{"daemon/b.cpp", text}, test{"tests/daemon/a_test.cpp", text};
  EXPECT_THAT(headers_with_one_user({header, source, user, test}), IsEmpty());
  EXPECT_THAT(headers_with_one_user({header, source, user}),
              ElementsAre("daemon/a.hpp:1: only daemon/b.cpp includes it"));
  EXPECT_THAT(headers_with_one_user({header, source}),
              ElementsAre("daemon/a.hpp:1: nobody includes it"));
}

TEST(Headers, OfJobsAndOfTestsMayHaveOneUser) {
  EXPECT_THAT(headers_with_one_user({{"daemon/pull/pull_job.hpp", ""}, {"tests/a.hpp", ""}}),
              IsEmpty());
}

Tree built(const std::string& source) {
  return {{"CMakeLists.txt", "room(config fmt::fmt)\nroom(daemon/commands config)\n"},
          {"tests/CMakeLists.txt",
           "test_room(config unit bridge_config)\nfile(GLOB shared support/*.cpp)\n"},
          {source, ""}};
}

TEST(Build, TakesTheSourcesOfItsRooms) {
  EXPECT_THAT(sources_not_built(built("config/load.cpp")), IsEmpty());
  EXPECT_THAT(sources_not_built(built("daemon/commands/sync.cpp")), IsEmpty());
  EXPECT_THAT(sources_not_built(built("tests/config/load_test.cpp")), IsEmpty());
  EXPECT_THAT(sources_not_built(built("tests/support/servers.cpp")), IsEmpty());
}

TEST(Build, LeavesNoSourceOut) {
  EXPECT_THAT(sources_not_built(built("config/deeper/load.cpp")), SizeIs(1));
  EXPECT_THAT(sources_not_built(built("daemon/jobs/push.cpp")), SizeIs(1));
  EXPECT_THAT(sources_not_built(built("tests/forgotten/load_test.cpp")), SizeIs(1));
  EXPECT_THAT(sources_not_built(built("stray.cpp")), SizeIs(1));
}

TEST(Words, AreForbiddenInCode) {
  EXPECT_THAT(forbidden_words({{"daemon/a.cpp", "int x;\nstd::this_thread::sleep_for(1s);\n"}}),
              ElementsAre(StartsWith("daemon/a.cpp:2: sleep_for: ")));
  EXPECT_THAT(forbidden_words({{"tests/daemon/a.cpp", "TEST(A, DISABLED_B) {}\n"}}), SizeIs(1));
}

TEST(Words, OfCodeMayBeSpokenAbout) {
  EXPECT_THAT(
      forbidden_words({{"daemon/a.cpp", "// never sleep_for\n"}, {"README.md", "no sleep_for\n"}}),
      IsEmpty());
}

TEST(Words, OfOneMachineAreForbiddenInEveryFile) {
  const std::string path = std::string("/wo") + "rk/main";
  EXPECT_THAT(forbidden_words({{"scripts/demo", "cd " + path + "\n"}}), SizeIs(1));
  EXPECT_THAT(forbidden_words({{"daemon/a.cpp", "f(\"" + path + "\");\n"}}), SizeIs(1));
}

}  // namespace
}  // namespace tree
