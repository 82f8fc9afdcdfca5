import { until } from "../packages/kit/src/test/index.ts";
import { envOf, main } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

export interface Running {
  home: string;
  out(): string;
  pid: number;
  get(path: string, init?: BunFetchRequestInit): Promise<Response>;
  /** Requests a path at the address of the page; `get` does at the socket. */
  web(path: string, init?: RequestInit): Promise<Response>;
  url: string;
  tokens: string[];
  stop(): Promise<number>;
}

/** Starts `pith serve --web` and waits for its addresses. */
export async function serving(dir: Scratch, argv: readonly string[]): Promise<Running> {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.pith/logs/.keep": "" });
  const child = Bun.spawn([process.execPath, main, "--", "serve", "--web", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdout: "pipe",
    stderr: "pipe",
  });
  children.add(child);
  let out = "";
  void (async () => {
    for await (const chunk of child.stdout) out += Buffer.from(chunk).toString();
  })();
  await until(() => out.includes("watch "), "the addresses");
  const found = [...out.matchAll(/(http:\S+)#(\S+)/g)];
  const url = found[0]?.[1] ?? "";
  const socket = dir.at("home/.pith/serve.sock");
  return {
    home: dir.at("home/.pith"),
    out: () => out,
    pid: child.pid,
    get: (path, init) => fetch(`http://pith${path}`, { ...init, unix: socket } as BunFetchRequestInit),
    web: (path, init) => fetch(new URL(path, url), init),
    url,
    tokens: found.map(([, , token = ""]) => token),
    async stop() {
      child.kill("SIGTERM");
      return await child.exited;
    },
  };
}
const children = new Set<ReturnType<typeof Bun.spawn>>();

/** Kills all servers that were started; for `afterAll`. */
export function ended(): void {
  for (const child of children) child.kill("SIGKILL");
}
