#pragma once

#include "model/training/group.h"

namespace softalign {

/// This process's place among those that train together, from RANK, WORLD_SIZE, MASTER_ADDR and
/// MASTER_PORT, which scripts/launch, torchrun and wrappers of Slurm and MPI set, and the network
/// interface from GLOO_SOCKET_IFNAME, where more than one leads to the others. Without
/// WORLD_SIZE it is alone. Throws Error naming the variable that is missing or wrong.
GroupConfig group_from_environment();

/// Processes of the group on this machine (LOCAL_WORLD_SIZE), which share its cores; 1 if not set.
int64_t processes_here();

}  // namespace softalign
