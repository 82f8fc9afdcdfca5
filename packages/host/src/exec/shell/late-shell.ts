import { isDirectory } from "@pith/kit";
import type { Shell, ShellOptions } from "./shell.ts";

/** A `Shell` that is made, and its code loaded, by the first thing that needs it: many sessions run no command. */
export class LateShell implements Disposable {
  readonly #options: ShellOptions;
  #shell: Shell | undefined;
  #closed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  get cwd(): string {
    if (this.#shell) return this.#shell.cwd;
    const { cwd, startIn } = this.#options;
    return startIn !== undefined && isDirectory(startIn) ? startIn : cwd;
  }

  changedExports: Shell["changedExports"] = () => this.#shell?.changedExports() ?? [];
  definitions: Shell["definitions"] = (side) => this.#shell?.definitions(side);
  spareFile: Shell["spareFile"] = () => this.#shell?.spareFile();
  fullCommand: Shell["fullCommand"] = (command) => this.#made().fullCommand(command);
  waitForStartup: Shell["waitForStartup"] = (patienceMs) => this.#made().waitForStartup(patienceMs);
  canSandbox: Shell["canSandbox"] = () => this.#made().canSandbox();
  canLayer: Shell["canLayer"] = () => this.#made().canLayer();
  run: Shell["run"] = (command) => this.#made().run(command);
  start: Shell["start"] = (command) => this.#made().start(command);
  runAtTerminal: Shell["runAtTerminal"] = (command) => this.#made().runAtTerminal(command);

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#shell?.[Symbol.dispose]();
  }

  #made(): Shell {
    if (this.#shell) return this.#shell;
    const { Shell }: typeof import("./shell.ts") = require("./shell.ts");
    this.#shell = new Shell(this.#options);
    // A closed shell says so itself.
    if (this.#closed) this.#shell[Symbol.dispose]();
    return this.#shell;
  }
}
