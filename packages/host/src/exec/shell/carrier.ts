import { closeSync } from "node:fs";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Cgroup } from "../care/cgroup.ts";
import type { Tree } from "../care/group.ts";
import { put } from "../put.ts";
import type { Found } from "./find.ts";
import type { Libc } from "./libc.ts";
import { cookieName, opening } from "./script.ts";
import type { State } from "./state.ts";

export interface CarrierOptions {
  shell: Found;
  libc: Libc | undefined;
  /** A place that stays. */
  folder: string;
  /** Its number within the session. */
  run: string;
  cookie: string;
  cgroup: Cgroup | undefined;
  /** Settings for `ulimit`. */
  limits: readonly string[];
  /** What no shell can hold as a variable of its own, and hands on all the same. */
  env: Readonly<Record<string, string>>;
  /** The files in which it will find what state to take on, and what to do. */
  prime: string;
  orders: string;
}

/** A shell that waits for the one command it will run. */
export interface Carrier {
  run: string;
  prime: string;
  tree: Tree;
  exited: Promise<number>;
  /** Null while it runs. */
  code(): number | null;
  signal(): string | null;
  streams(): readonly ReadableStream<Uint8Array>[];
  /** The descriptor behind the one stream, where there is one. */
  output: number | undefined;
  /** The state that it has taken on. */
  state: State | undefined;
  /** Tells it that the state to take on is written. */
  ready(): void;
  /** Tells it that its orders are written. */
  tell(): void;
  /** After the end: nothing more will be read. */
  close(): void;
}

export function spawnCarrier(options: CarrierOptions): Result<Carrier, "spawn"> {
  const { shell, libc, folder, run, cookie, cgroup, limits, env, prime, orders } = options;
  const pipe = libc?.openPipe();
  const close = () => pipe && closeSync(pipe.read);
  try {
    const text = opening({
      dialect: shell.dialect,
      groups: cgroup?.doors ?? [],
      limits,
      cookie,
      prime,
      orders,
      input: "ours",
    });
    const flags = shell.dialect === "bash" ? ["--norc", "--noprofile"] : [];
    const out = pipe?.write ?? "pipe";
    const child = Bun.spawn([shell.path, ...flags, "-c", text], {
      argv0: shell.dialect,
      cwd: folder,
      // The state of the session is all there is, so that what was unset stays unset.
      env: { ...env, [cookieName]: cookie },
      stdio: ["pipe", out, out],
      detached: true,
    });
    // One that only waits holds nobody; while it runs, its time limit does.
    child.unref();
    return ok({
      run,
      prime,
      tree: { group: child.pid, cgroup, cookie: `${cookieName}=${cookie}`, orphans: libc ? "ours" : "lost" },
      exited: child.exited,
      code: () => child.exitCode,
      signal: () => (child.signalCode === null ? null : String(child.signalCode)),
      streams: () =>
        pipe
          ? [Bun.file(pipe.read).stream()]
          : [child.stdout, child.stderr].filter((stream) => stream instanceof ReadableStream),
      output: pipe?.read,
      state: undefined,
      ready: () => put(child.stdin, "\0"),
      tell() {
        put(child.stdin, shell.dialect === "bash" ? "\0" : "\n");
        void Promise.resolve(child.stdin.end()).catch(() => {});
      },
      close,
    });
  } catch (thrown) {
    close();
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  } finally {
    if (pipe) closeSync(pipe.write);
  }
}
