#!/bin/sh
# A Slurm of two nodes as ordinary processes of this machine, for tests; run as root.
#
#   cluster.sh start FOLDER   start it, with everything it writes in FOLDER (a short path: it holds sockets)
#   cluster.sh stop FOLDER    end what `start` started, and nothing else
#
# Clients need SLURM_CONF=FOLDER/slurm.conf and FOLDER/bin first on PATH.
set -eu
action=$1
folder=$2
base=${SLURM_TEST_PORT:-26817}
host=$(hostname -s)
export SLURM_CONF="$folder/slurm.conf"

launch() { # launch NAME COMMAND...: in the background, with its process id on record
    name=$1
    shift
    setsid "$@" >"$folder/$name.out" 2>&1 </dev/null &
    echo $! >"$folder/$name.pid"
}

wait_for() { # wait_for COMMAND...: until it succeeds, at most 30 seconds
    left=150
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { echo "timed out waiting for: $*" >&2; exit 1; }
        sleep 0.2
    done
}

both_idle() { [ "$(sinfo --noheader --Node --states=idle --format=%N | wc -l)" -eq 2 ]; }

start() {
    mkdir -p "$folder/bin" "$folder/state" "$folder/spool.n1" "$folder/spool.n2"
    cat >"$SLURM_CONF" <<CONF
ClusterName=attribench
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/own.slurmctld
SlurmdPidFile=$folder/own.%n
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=5
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=300
EnforcePartLimits=ALL
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=4 RealMemory=32000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=4 RealMemory=32000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    # The plugin's job step drops SLURM_CONF before it calls srun; a real cluster has the file in its usual place.
    printf '#!/bin/sh\nSLURM_CONF=%s exec /usr/bin/srun "$@"\n' "$SLURM_CONF" >"$folder/bin/srun"
    chmod +x "$folder/bin/srun"
    head -c 128 /dev/urandom >"$folder/munge.key"
    chmod 400 "$folder/munge.key"
    launch munged munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
        --pid-file="$folder/own.munged" --seed-file="$folder/munge.seed" --log-file="$folder/munge.log"
    wait_for munge --socket="$folder/munge.socket" --no-input
    launch slurmctld slurmctld -D -f "$SLURM_CONF"
    launch slurmd1 slurmd -D -N n1 -f "$SLURM_CONF"
    launch slurmd2 slurmd -D -N n2 -f "$SLURM_CONF"
    wait_for both_idle
}

stop() {
    for name in slurmd1 slurmd2 slurmctld munged; do
        [ -s "$folder/$name.pid" ] || continue
        process=$(cat "$folder/$name.pid")
        kill "$process" 2>/dev/null || true
        left=50
        while kill -0 "$process" 2>/dev/null && [ "$left" -gt 0 ]; do
            left=$((left - 1))
            sleep 0.2
        done
        kill -9 "$process" 2>/dev/null || true
        rm "$folder/$name.pid"
    done
}

case $action in
start) start ;;
stop) stop ;;
*) echo "usage: cluster.sh start|stop FOLDER" >&2; exit 2 ;;
esac
