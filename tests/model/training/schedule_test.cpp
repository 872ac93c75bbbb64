#include "model/training/schedule.h"

#include <gtest/gtest.h>

#include "data/error.h"

namespace softalign {
namespace {

ScheduleConfig config_of(ScheduleKind kind, int64_t warmup = 0) {
  ScheduleConfig config;
  config.kind = kind;
  config.warmup_steps = warmup;
  return config;
}

TEST(Schedule, ConstantWarmsUpLinearly) {
  const Schedule schedule(config_of(ScheduleKind::constant, 4), 0.8, 0);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(1), 0.2);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(3), 0.6);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(4), 0.8);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(1000), 0.8);
}

TEST(Schedule, InverseSquareRootPeaksAtTheEndOfWarmUp) {
  const Schedule schedule(config_of(ScheduleKind::inverse_sqrt, 100), 0.01, 0);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(50), 0.005);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(100), 0.01);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(400), 0.005);  // √(100/400)
  EXPECT_DOUBLE_EQ(schedule.learning_rate(2500), 0.002);
  const Schedule without(config_of(ScheduleKind::inverse_sqrt), 0.01, 0);
  EXPECT_DOUBLE_EQ(without.learning_rate(4), 0.005);
}

TEST(Schedule, CosineFallsToTheMinimum) {
  ScheduleConfig config = config_of(ScheduleKind::cosine, 10);
  config.minimum = 0.2;
  const Schedule schedule(config, 1.0, 110);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(5), 0.5);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(10), 1.0);
  EXPECT_NEAR(schedule.learning_rate(60), 0.6, 1e-12);  // half way: (1 + 0.2)/2
  EXPECT_NEAR(schedule.learning_rate(35), 0.2 + 0.4 * (1 + 0.70710678118654752), 1e-12);
  EXPECT_NEAR(schedule.learning_rate(110), 0.2, 1e-12);
  EXPECT_NEAR(schedule.learning_rate(500), 0.2, 1e-12);
}

TEST(Schedule, LuongHalvesAfterTwoThirds) {
  ScheduleConfig config = config_of(ScheduleKind::luong);
  config.luong_start = 0.5;
  config.luong_interval = 0.1;
  const Schedule schedule(config, 1.0, 100);          // ten epochs of ten updates
  EXPECT_DOUBLE_EQ(schedule.learning_rate(50), 1.0);  // the last of epoch 5
  EXPECT_DOUBLE_EQ(schedule.learning_rate(51), 0.5);  // the first of epoch 6
  EXPECT_DOUBLE_EQ(schedule.learning_rate(60), 0.5);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(61), 0.25);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(100), 0.03125);
}

TEST(Schedule, PlateauDecaysAfterPatienceAndEndsAtItsMinimum) {
  ScheduleConfig config = config_of(ScheduleKind::plateau);
  config.plateau_patience = 2;
  config.decay = 0.5;
  config.minimum = 0.25;
  Schedule schedule(config, 1.0, 0);
  EXPECT_FALSE(schedule.validated(true));
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_FALSE(schedule.validated(true));  // begins to count again
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.learning_rate(7), 1.0);
  EXPECT_FALSE(schedule.validated(false));
  EXPECT_DOUBLE_EQ(schedule.learning_rate(7), 0.5);

  Schedule resumed(config, 1.0, 0);
  resumed.restore(schedule.state());
  for (Schedule* one : {&schedule, &resumed}) {
    EXPECT_FALSE(one->validated(false));
    EXPECT_FALSE(one->validated(false));
    EXPECT_DOUBLE_EQ(one->learning_rate(7), 0.25);
    EXPECT_FALSE(one->validated(false));
    EXPECT_TRUE(one->validated(false));
    EXPECT_DOUBLE_EQ(one->learning_rate(7), 0.25);
  }
}

TEST(Schedule, WithoutAnEndCosineAndLuongAreRefused) {
  EXPECT_THROW(Schedule(config_of(ScheduleKind::cosine), 1.0, 0), Error);
  EXPECT_THROW(Schedule(config_of(ScheduleKind::luong), 1.0, 0), Error);
  EXPECT_NO_THROW(Schedule(config_of(ScheduleKind::constant), 1.0, 0));
}

}  // namespace
}  // namespace softalign
