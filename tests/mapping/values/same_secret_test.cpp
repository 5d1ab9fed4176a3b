#include "mapping/values/same_secret.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

TEST(SameSecret, IsEveryByteOfIt) {
  EXPECT_TRUE(same_secret("secret", "secret"));
  for (const char* other : {"", "secre", "secrets", "Secret", "secreT"})
    EXPECT_FALSE(same_secret("secret", other)) << other;
}

}  // namespace
}  // namespace surveybridge::mapping
