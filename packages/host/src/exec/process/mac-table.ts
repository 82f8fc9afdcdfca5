import { openFfi } from "../../platform.ts";
import type { ProcessInfo, ProcessTable } from "./info.ts";
import { blockHolds, mac } from "./mac-abi.ts";

/**
 * The process table of macOS, by calls of its C library. Throws where the runtime cannot call it, and where it does not
 * tell the truth about this very process: then a structure is not as we think.
 */
export function openMacTable(library: string = mac.library): ProcessTable {
  const ffi = openFfi();
  if (!ffi) throw new Error("the C library cannot be called here");
  const { symbols } = ffi.dlopen(library, {
    proc_listallpids: { args: ["ptr", "i32"], returns: "i32" },
    proc_pidinfo: { args: ["i32", "i32", "u64", "ptr", "i32"], returns: "i32" },
    proc_pid_rusage: { args: ["i32", "i32", "ptr"], returns: "i32" },
    getpgrp: { args: [], returns: "i32" },
    sysctl: { args: ["ptr", "u32", "ptr", "ptr", "ptr", "u64"], returns: "i32" },
  });
  const info = Buffer.alloc(mac.info.bytes);
  const usage = Buffer.alloc(mac.usage.bytes);
  const numbers = (): Int32Array => {
    // Some room for those that begin between the two calls.
    const pids = new Int32Array(symbols.proc_listallpids(null, 0) + 64);
    return pids.subarray(0, Math.max(0, symbols.proc_listallpids(pids, pids.byteLength)));
  };
  const look = (pid: number): (ProcessInfo & { parent: number })[] => {
    const got = symbols.proc_pidinfo(pid, mac.info.flavor, 0, info, mac.info.bytes);
    if (got !== mac.info.bytes || info.readUInt32LE(mac.info.pid[0]) !== pid) return [];
    const state = info.readUInt32LE(mac.info.status[0]) === mac.zombie ? "Z" : "R";
    return [{ pid, state, group: info.readUInt32LE(mac.info.group[0]), parent: info.readUInt32LE(mac.info.parent[0]) }];
  };
  const used = (pid: number, [at]: readonly [number, number]): number =>
    symbols.proc_pid_rusage(pid, mac.usage.flavor, usage) === 0 ? Number(usage.readBigUInt64LE(at)) : 0;
  const all = () => [...numbers()].filter((pid) => pid > 0).flatMap(look);
  const table: ProcessTable = {
    all,
    childrenOf: (pid) => all().filter(({ parent }) => parent === pid),
    hasVariable(pid, variable) {
      const asked = new Int32Array([mac.environment.kern, mac.environment.arguments, pid]);
      const block = Buffer.alloc(mac.environment.most);
      const size = new BigUint64Array([BigInt(block.length)]);
      if (symbols.sysctl(asked, asked.length, block, size, null, 0) !== 0) return false;
      return blockHolds(block.subarray(0, Number(size[0])), variable);
    },
    residentBytes: (pid) => used(pid, mac.usage.resident),
    privateBytes: (pid) => used(pid, mac.usage.footprint),
  };
  mustTellOfUs(table, symbols.getpgrp());
  return table;
}

function mustTellOfUs({ all, residentBytes }: ProcessTable, own: number): void {
  const us = all().find(({ pid }) => pid === process.pid);
  if (us?.group !== own || us.state === "Z") throw new Error("processes are told wrongly");
  const { rss } = process.memoryUsage();
  const told = residentBytes(process.pid);
  if (told < rss / 4 || told > rss * 4) throw new Error("memory of a process is told wrongly");
}
