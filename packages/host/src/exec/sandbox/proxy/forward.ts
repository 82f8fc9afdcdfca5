import { chmodSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type { SandboxNetwork } from "../network.ts";
import { isListening } from "./listening.ts";
import { openRelay } from "./relay.ts";

interface Forward {
  /** Commands that need it. */
  users: number;
  opened: Promise<Disposable | undefined>;
}

export interface ForwardOptions {
  network: Pick<SandboxNetwork, "enter" | "process">;
  /** A folder that commands do not see. */
  folder: string;
  /** Called with each port that a command has connected to. */
  reached(port: number): void;
}

/** Leads ports of the session's network to the same ports of this machine, where something listens there. */
export class PortForwards implements Disposable {
  readonly #options: ForwardOptions;
  readonly #open = new Map<number, Forward>();

  constructor(options: ForwardOptions) {
    this.#options = options;
  }

  /** Opens a port until the returned function is called. A server inside of the network keeps its own. */
  async open(port: number): Promise<() => void> {
    const { process } = this.#options.network;
    let forward = this.#open.get(port);
    if (!forward && (!isListening(port, "/proc/self") || isListening(port, process))) return () => {};
    forward ??= { users: 0, opened: this.#forward(port) };
    this.#open.set(port, forward);
    forward.users++;
    if (!(await forward.opened)) this.#open.delete(port);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      forward.users--;
      if (forward.users > 0) return;
      if (this.#open.get(port) === forward) this.#open.delete(port);
      void forward.opened.then((one) => one?.[Symbol.dispose]());
    };
  }

  async #forward(port: number): Promise<Disposable | undefined> {
    const { network, folder, reached } = this.#options;
    const socket = join(folder, `port-${port}`);
    rmSync(socket, { force: true });
    const server = createServer({ allowHalfOpen: true }, (near) => {
      reached(port);
      const far = connect({ host: "localhost", port, allowHalfOpen: true, autoSelectFamily: true });
      near.pipe(far);
      far.pipe(near);
      near.on("error", () => far.destroy()).on("close", () => far.destroy());
      far.on("error", () => near.destroy()).on("close", () => near.destroy());
    });
    try {
      await new Promise<void>((done, failed) => server.once("error", failed).listen(socket, done));
      chmodSync(socket, 0o600);
    } catch {
      return undefined;
    }
    server.unref();
    const relay = await openRelay({ enter: network.enter, socket, port }).catch(() => undefined);
    const end = () => {
      relay?.[Symbol.dispose]();
      server.close();
    };
    if (relay) return { [Symbol.dispose]: end };
    end();
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const { opened } of this.#open.values()) void opened.then((one) => one?.[Symbol.dispose]());
    this.#open.clear();
  }
}
