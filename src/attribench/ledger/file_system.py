"""What the file system below a store can do: a store may be shared by the machines of a cluster.

SQLite's write-ahead log needs memory that all readers and writers share, which no two machines do
(sqlite.org/wal.html): away from a local disk a store keeps a rollback journal instead, which needs locks alone.
Where even those hold on one machine only, two jobs would write one file, so nothing is written at all.
"""

import re
from pathlib import Path

from attribench.errors import EndpointError

MOUNTS = Path("/proc/self/mountinfo")
"""Where Linux says what is mounted; on a system without it every disk is taken for a local one."""

LOCAL = frozenset(
    {
        *("apfs", "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk", "jfs", "ntfs3"),
        *("overlay", "ramfs", "reiserfs", "tmpfs", "ufs", "vfat", "xfs", "zfs"),
    }
)
"""Types of file systems that only one machine has; any other is taken for one that is shared."""

_WITHOUT_LOCKS = {"nolock", "localflock", "noflock", "local_lock=all", "local_lock=flock", "local_lock=posix", "nobrl"}


def journal_mode(folder: Path) -> str:
    """Return SQLite's journal for a store in `folder`: WAL on a local disk, DELETE on any other.

    Raises:
        EndpointError: locks taken there hold on one machine only.
    """
    if not MOUNTS.is_file():
        return "WAL"
    kind, options = _mount(folder.resolve())
    if kind in LOCAL:
        return "WAL"
    useless = sorted(_WITHOUT_LOCKS & options) + (["fuse.sshfs"] if kind == "fuse.sshfs" else [])
    if useless:
        raise no_locks(folder, f"it is a file system of the type {kind} with '{useless[0]}'")
    return "DELETE"


def no_locks(folder: Path, reason: str) -> EndpointError:
    """Return the error that says that `folder` cannot hold a store, for that `reason`."""
    return EndpointError(
        f"The answers cannot be kept in {folder}: locks taken there do not hold on other machines ({reason}), so two "
        "jobs could damage one file. Have it mounted with locks, or make resources/cache a link to a folder on "
        "another file system that all nodes share (docs/cluster.md)."
    )


def _mount(folder: Path) -> tuple[str, set[str]]:
    """Return the type and the options of the file system that `folder` is on."""
    best, kind, options = -1, "unknown", set[str]()
    for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        before, _, after = line.partition(" - ")
        place = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), before.split()[4]))
        if len(place.parts) >= best and folder.is_relative_to(place):  # a later mount hides an earlier one
            own = before.split()[5].split(",")
            kind, _, *rest = after.split()
            best, options = len(place.parts), {*own, *(rest[0].split(",") if rest else [])}
    return kind, options
