#include <errno.h>
#include <unistd.h>

#include "bus.h"
#include "bus_client.h"
#include "bus_irm.h"
#include "bus_topology.h"
#include "check.h"

static struct bus_client *first;
static struct bus_client *second;
static int32_t channel, bandwidth; /* what a test claims and gets */

static struct bus_card *manager(void)
{
    return &bus.cards[bus.node_count - 1];
}

static void begin(void)
{
    first = bus_client_open(-1, 1, 0);
    second = bus_client_open(-1, 2, 2);
    bus_irm_reset();
    bandwidth = 0;
}

static void end(void)
{
    bus_client_release(first);
    bus_client_release(second);
}

TEST(after_a_reset_all_is_free_but_the_broadcast_channel)
{
    CHECK_EQUAL(manager()->bandwidth_available, 4915);
    CHECK_EQUAL(manager()->channels_available_hi, 0xfffffffe);
    CHECK_EQUAL(manager()->channels_available_lo, 0xffffffff);
}

TEST(the_lowest_free_channel_of_the_mask_is_chosen)
{
    bus_irm_manage(first, 1ull << 5 | 1ull << 40, &channel, &bandwidth, true);
    CHECK_EQUAL(channel, 5);
    CHECK_EQUAL(manager()->channels_available_hi, 0xfbfffffe); /* channel 0 is the top bit */
    bus_irm_manage(second, 1ull << 5 | 1ull << 40, &channel, &bandwidth, true);
    CHECK_EQUAL(channel, 40);
    CHECK_EQUAL(manager()->channels_available_lo, 0xff7fffff);
    bus_irm_manage(second, 1ull << 5 | 1ull << 40, &channel, &bandwidth, true);
    CHECK_EQUAL(channel, -EBUSY);
}

TEST(bandwidth_runs_out_at_4915)
{
    bandwidth = 4000;
    bus_irm_manage(first, 0, &channel, &bandwidth, true);
    CHECK_EQUAL(channel, -EINVAL);
    CHECK_EQUAL(bandwidth, 4000);
    bandwidth = 916;
    bus_irm_manage(second, 1, &channel, &bandwidth, true);
    CHECK_EQUAL(bandwidth, 0);
    CHECK_EQUAL(channel, -EBUSY); /* the channel allocated before was released */
    CHECK_EQUAL(manager()->channels_available_hi, 0xfffffffe);
    bandwidth = 915;
    bus_irm_manage(second, 1, &channel, &bandwidth, true);
    CHECK_EQUAL(bandwidth, 915);
    CHECK_EQUAL(channel, 0);
    CHECK_EQUAL(manager()->bandwidth_available, 0);
}

TEST(unallocated_resources_cannot_be_released)
{
    bandwidth = 1;
    bus_irm_manage(first, 1, &channel, &bandwidth, false);
    CHECK_EQUAL(channel, -EBUSY);
    CHECK_EQUAL(bandwidth, 0);
    CHECK_EQUAL(manager()->bandwidth_available, 4915);
}

TEST(a_claim_is_freed_and_nothing_else)
{
    bandwidth = 100;
    bus_irm_manage(first, 1ull << 3, &channel, &bandwidth, true);
    bandwidth = 200;
    bus_irm_manage(second, 1ull << 4, &channel, &bandwidth, true);
    bus_irm_free_claim(first);
    CHECK_EQUAL(manager()->bandwidth_available, 4715);
    CHECK_EQUAL(manager()->channels_available_hi, 0xf7fffffe);
    bus_irm_free_claim(first);
    CHECK_EQUAL(manager()->bandwidth_available, 4715);
}

/* If one process allocates and another releases, nothing is left to free. */
TEST(a_claim_released_by_another_client_ends)
{
    bandwidth = 100;
    bus_irm_manage(first, 1ull << 3, &channel, &bandwidth, true);
    bus_irm_manage(second, 1ull << 3, &channel, &bandwidth, false);
    CHECK_EQUAL(channel, 3);
    bandwidth = 50;
    bus_irm_manage(second, 1ull << 3, &channel, &bandwidth, true);
    bus_irm_free_claim(first);
    CHECK_EQUAL(manager()->bandwidth_available, 4865);
    CHECK_EQUAL(manager()->channels_available_hi, 0xeffffffe);
}

/* Old programs swap the registers themselves. */
TEST(a_claim_by_compare_and_swap_is_recorded)
{
    uint32_t card = manager()->index;
    CHECK_EQUAL(bus_irm_compare_swap(first, card, BUS_IRM_BANDWIDTH_AVAILABLE, 4900, 1), 4915);
    CHECK_EQUAL(manager()->bandwidth_available, 4915);
    CHECK_EQUAL(bus_irm_compare_swap(first, card, BUS_IRM_BANDWIDTH_AVAILABLE, 4915, 4000), 4915);
    CHECK_EQUAL(
        bus_irm_compare_swap(first, card, BUS_IRM_CHANNELS_AVAILABLE_LO, 0xffffffff, 0x7fffffff),
        0xffffffff);
    CHECK_EQUAL(first->claim.bandwidth, 915);
    CHECK_EQUAL(first->claim.channels, 1ll << 32);
    bus_irm_free_claim(first);
    CHECK_EQUAL(manager()->bandwidth_available, 4915);
    CHECK_EQUAL(manager()->channels_available_lo, 0xffffffff);
}

TEST(a_reset_forgets_claims)
{
    bandwidth = 100;
    bus_irm_manage(first, 1, &channel, &bandwidth, true);
    bus_irm_reset();
    bandwidth = 4915;
    bus_irm_manage(second, 1, &channel, &bandwidth, true);
    bus_irm_free_claim(first);
    CHECK_EQUAL(manager()->bandwidth_available, 0);
}

int main(void)
{
    bus.node_count = 3;
    bus.link_speed = SCODE_800;
    bus_topology_initialize();
    return run_tests_between(begin, end);
}
