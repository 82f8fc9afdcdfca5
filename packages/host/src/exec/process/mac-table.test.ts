import { afterEach, expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { blockHolds } from "./mac-abi.ts";
import { openMacTable } from "./mac-table.ts";
import { childrenOf, hasVariable, privateBytes, processes, residentBytes, useTable } from "./table.ts";
import { endTree, leftovers, members, type ProcessTree } from "./tree.ts";

afterEach(() => useTable(undefined));

/** The calls of macOS over the process table of Linux, with the structures as the headers of macOS write them. */
const library = `
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct proc_bsdinfo {
  uint32_t pbi_flags, pbi_status, pbi_xstatus, pbi_pid, pbi_ppid;
  uint32_t pbi_uid, pbi_gid, pbi_ruid, pbi_rgid, pbi_svuid, pbi_svgid, rfu_1;
  char pbi_comm[16], pbi_name[32];
  uint32_t pbi_nfiles, pbi_pgid, pbi_pjobc, e_tdev, e_tpgid;
  int32_t pbi_nice;
  uint64_t pbi_start_tvsec, pbi_start_tvusec;
};
struct rusage_info_v0 {
  uint8_t ri_uuid[16];
  uint64_t ri_user_time, ri_system_time, ri_pkg_idle_wkups, ri_interrupt_wkups, ri_pageins, ri_wired_size;
  uint64_t ri_resident_size, ri_phys_footprint, ri_proc_start_abstime, ri_proc_exit_abstime;
};
int proc_listallpids(int *pids, int bytes) {
  DIR *folder = opendir("/proc");
  int n = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    int pid = atoi(entry->d_name);
    if (pid <= 0 || (pids && (n + 1) * (int)sizeof(int) > bytes)) continue;
    if (pids) pids[n] = pid;
    n++;
  }
  closedir(folder);
  return n;
}
static char text[1 << 20];
static long slurp(int pid, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  long size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  return size;
}
int proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int bytes) {
  struct proc_bsdinfo info = {0};
  char state;
  int parent, group;
  if (flavor != 3 || bytes < (int)sizeof info || slurp(pid, "stat") < 0) return 0;
  if (sscanf(strrchr(text, ')'), ") %c %d %d", &state, &parent, &group) != 3) return 0;
  info.pbi_pid = pid;
  info.pbi_ppid = parent;
  info.pbi_pgid = group;
  info.pbi_status = state == 'Z' ? 5 : 2;
  memcpy(buffer, &info, sizeof info);
  return sizeof info;
}
int proc_pid_rusage(int pid, int flavor, struct rusage_info_v0 *usage) {
  char *all, *own;
  if (flavor != 0 || slurp(pid, "status") < 0) return -1;
  memset(usage, 0, sizeof *usage);
  if ((all = strstr(text, "VmRSS:"))) usage->ri_resident_size = strtoull(all + 6, 0, 10) * 1024;
  if ((own = strstr(text, "RssAnon:"))) usage->ri_phys_footprint = strtoull(own + 8, 0, 10) * 1024;
  return 0;
}
int sysctl(int *name, unsigned names, void *old, size_t *bytes, void *new, size_t length) {
  if (names != 3 || name[0] != 1 || name[1] != 49) return -1;
  char *to = old;
  long size = slurp(name[2], "cmdline");
  if (size < 0) return -1;
  int count = 0;
  for (long n = 0; n < size; n++) count += text[n] == 0;
  memcpy(to, &count, 4);
  to += 4;
  to = stpcpy(to, "/bin/program") + 1;
  while ((to - (char *)old) % 8) *to++ = 0;
  memcpy(to, text, size);
  to += size;
  if ((size = slurp(name[2], "environ")) < 0) return -1;
  memcpy(to, text, size);
  *bytes = to + size - (char *)old;
  return 0;
}
`;

const missing = process.platform !== "linux" || need("cc") !== undefined;

function macTable(dir: ReturnType<typeof scratch>) {
  dir.write({ "a.c": library });
  const made = Bun.spawnSync(["cc", "-shared", "-fPIC", "-w", "-o", dir.at("a.so"), dir.at("a.c")], { stderr: "pipe" });
  expect(made.stderr.toString()).toBe("");
  return openMacTable(dir.at("a.so"));
}

test.skipIf(missing)("by the calls of macOS the process table is the one that /proc has", async () => {
  using dir = scratch();
  const child = Bun.spawn(["sleep", "60"], { env: { PATH: process.env.PATH, PITH_RUN: "mac.1" }, detached: true });
  try {
    const other = macTable(dir);
    const of = (all: typeof processes) => all().find(({ pid }) => pid === child.pid)?.group;
    expect(of(other.all)).toBe(child.pid);
    expect(of(other.all)).toBe(of(processes));
    const pids = (list: ReturnType<typeof processes>) => list.map(({ pid }) => pid).toSorted();
    expect(pids(other.childrenOf(process.pid))).toEqual(pids(childrenOf(process.pid)));
    for (const variable of ["PITH_RUN=mac.1", "PITH_RUN=mac", "ITH_RUN=mac.1"])
      expect(other.hasVariable(child.pid, variable)).toBe(hasVariable(child.pid, variable));
    expect(other.hasVariable(child.pid, "PITH_RUN=mac.1")).toBe(true);
    expect(other.residentBytes(child.pid)).toBe(residentBytes(child.pid));
    expect(other.privateBytes(child.pid)).toBe(privateBytes(child.pid));
    expect([other.residentBytes(2 ** 30), other.hasVariable(2 ** 30, "A=1")]).toEqual([0, false]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test.skipIf(missing)("by the calls of macOS what left its group is found by its cookie and ended", async () => {
  using dir = scratch();
  useTable(macTable(dir));
  const cookie = `PITH_RUN=mac-${process.pid}.1`;
  const child = Bun.spawn(
    ["/bin/sh", "-c", "setsid sleep 333 & (setsid nohup sleep 334 >/dev/null 2>&1 &) ; sleep 0.05"],
    {
      env: { PATH: process.env.PATH, PITH_RUN: cookie.slice(cookie.indexOf("=") + 1) },
      detached: true,
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  await child.exited;
  const tree: ProcessTree = { group: child.pid, cgroup: undefined, variable: cookie, orphans: "lost" };
  expect(members(tree)).toHaveLength(2);
  expect(leftovers(tree)).toBe("some");
  await endTree(tree);
  expect(leftovers(tree)).toBe("none");
});

test.skipIf(missing)("a library that lacks a call, or tells of nothing, is no process table", () => {
  using dir = scratch();
  expect(() => openMacTable()).toThrow();
  dir.write({
    "b.c": library.replace("int sysctl(", "int other("),
    "c.c": library.replace("pbi_svgid, rfu_1;", "pbi_svgid;"),
  });
  for (const name of ["b", "c"]) {
    Bun.spawnSync(["cc", "-shared", "-fPIC", "-w", "-o", dir.at(`${name}.so`), dir.at(`${name}.c`)]);
    expect(() => openMacTable(dir.at(`${name}.so`))).toThrow();
  }
});

test("the environment is found behind the words of a command, empty ones too, and a word is none", () => {
  const block = (words: string[], env: string[], count = words.length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(count);
    const rest = ["/bin/x", "", "", ...words, ...env].map((word) => `${word}\0`).join("");
    return Buffer.concat([head, Buffer.from(rest)]);
  };
  expect(blockHolds(block(["x", "", "A=1"], ["B=2", "C=3"]), "A=1")).toBe(false);
  for (const variable of ["B=2", "C=ä"]) expect(blockHolds(block(["x", ""], ["B=2", "C=ä"]), variable)).toBe(true);
  expect(blockHolds(block(["x"], ["B=22"]), "B=2")).toBe(false);
  // Cut, empty, or with a count that is not true.
  for (const odd of [Buffer.alloc(0), Buffer.alloc(4), Buffer.alloc(64), block(["x"], [], 2 ** 31)])
    expect(blockHolds(odd, "B=2")).toBe(false);
});
