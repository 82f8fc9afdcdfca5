// What all steps of one program share: the machine, the model's server, the promises, and the pith that runs now.
import { statSync } from "node:fs";
import { check, complaintsIn, sessionsIn, treeOf } from "./check.ts";
import { Broken, Face } from "./face.ts";
import { tracer } from "./power.ts";
import type { Fault } from "./program.ts";
import { Promises, tokensOf } from "./promises.ts";
import { openVendor, type Vendor } from "./vendor.ts";
import { type Child, childrenOf, type Lacking, signal, World } from "./world.ts";

/** Counts by kind. */
export interface Tally {
  steps: Map<string, number>;
  faults: Map<string, number>;
  /** Faults that this machine cannot make. */
  skipped: Map<string, number>;
}

export const add = (counts: Map<string, number>, kind: string): unknown =>
  counts.set(kind, (counts.get(kind) ?? 0) + 1);

export interface PlayOptions {
  /** The binary. */
  program: string;
  lacking: Lacking;
  tally: Tally;
  log?: (text: string) => void;
}

/** Needs of faults that not every machine meets. */
const needs: Partial<Record<Fault["kind"], keyof Lacking>> = {
  "full disk": "disks",
  "read-only home": "disks",
  clock: "clock",
  "power cut": "power",
  "few handles": "limits",
};

const model = ["--model", "openai/gpt-5.5"];

export class Game implements Disposable {
  readonly world: World;
  readonly vendor: Vendor;
  readonly promises: Promises;
  /** The pith that is talked to over RPC, if one runs. */
  face: Face | undefined;
  /** The session that goes on. */
  session: string | undefined;
  /** Messages may wait in the queue of the session. */
  hasQueue = false;
  readonly options: PlayOptions;
  /** Sizes of the records when the tracer began. */
  traced: Map<string, number> | undefined;

  constructor(git: boolean, options: PlayOptions) {
    this.options = options;
    const place = { ran: "" };
    this.vendor = openVendor(place);
    this.world = new World({ ...options, model: this.vendor.url });
    if (git && options.lacking.git) add(options.tally.skipped, "a repository");
    else if (git) this.world.initGit();
    place.ran = this.world.ran;
    this.promises = new Promises((id) => this.vendor.calls.get(id));
  }

  /** Words that choose model, mode and session. */
  argv(approval = "yolo"): string[] {
    return [
      "--approval",
      approval,
      ...model,
      ...(this.session && this.isRecorded(this.session) ? ["-r", this.session] : []),
    ];
  }

  /** The pith that runs, or a new one that goes on with the session. */
  async running(how?: "traced"): Promise<Face> {
    if (this.face && !how) return this.face;
    await this.leave();
    const face = this.open(["--mode", "rpc", ...this.argv()], how);
    const ready = await face.sees("the first line", ({ type }) => type === "ready");
    if (!ready) throw new Broken(`the next start does not work: exit ${await face.ended}, ${face.err.slice(-500)}`);
    if (this.session && this.isRecorded(this.session) && ready.sessionId !== this.session)
      throw new Broken(`-r ${this.session} goes on with ${ready.sessionId}`);
    this.session = String(ready.sessionId);
    this.face = face;
    return face;
  }

  /** Starts pith; what it says are promises. */
  open(argv: readonly string[], how?: "traced"): Face {
    if (!how) return new Face(this.world.start(argv), this.promises);
    this.traced = new Map(sessionsIn(this.world).map(({ file }) => [file, statSync(file).size]));
    return new Face(this.world.start(argv, tracer(this.world.at("trace"))), this.promises);
  }

  /** Ends the pith that runs as a program does. */
  async leave(): Promise<void> {
    const { face } = this;
    if (!face) return;
    this.face = undefined;
    const code = await face.end();
    this.read(face);
    if (code !== 0) throw new Broken(`pith ends with ${code} at the end of its input: ${face.err.slice(-500)}`);
    this.promises.catchUp();
  }

  /** The pith that runs was killed. */
  async lost(face: Face): Promise<void> {
    if (this.face === face) this.face = undefined;
    await face.gone("the end of a killed pith");
    this.read(face);
    this.promises.forget();
  }

  /** Throws when a process has said what only a fault of its own says. */
  read({ err }: { err: string }): void {
    const words = complaintsIn(err);
    if (words !== undefined) throw new Broken(`pith says: ${words}`);
  }

  check(when: string): void {
    check(this.world, this.vendor, this.promises, when);
    this.promises.settle(treeOf(this.world));
  }

  /** Says whether this machine can make the fault; counts it either way. */
  admits(fault: Fault): boolean {
    const { lacking, tally } = this.options;
    const what = needs[fault.kind];
    const isThere = what === undefined || lacking[what] === undefined;
    add(isThere ? tally.faults : tally.skipped, kindOf(fault));
    return isThere;
  }

  /** Says whether somebody has said something in a session that can be gone on with. */
  isRecorded(id: string): boolean {
    return sessionsIn(this.world).some(
      (session) =>
        session.id === id &&
        session.file.startsWith(this.world.home) &&
        tokensOf(session.entries.flatMap(({ message }) => message ?? [])).length > 0,
    );
  }

  [Symbol.dispose](): void {
    this.world[Symbol.dispose]();
    this.vendor[Symbol.dispose]();
  }
}

export const kindOf = (fault: Fault): string =>
  fault.kind === "full disk"
    ? `full disk: ${fault.writer}`
    : fault.kind === "network"
      ? `network: ${fault.weather}`
      : fault.kind;

/** Kills a process, or what a tracer runs. */
export function end(child: Child): void {
  for (const pid of [...childrenOf(child.pid), child.pid]) signal(pid, "SIGKILL");
}
