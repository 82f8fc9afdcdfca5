import { createTokens, type Handler, listenAtAddress, listenAtSocket } from "@pith/serve";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io } from "../../io/io.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { answer } from "./route.ts";
import { HostedSessions } from "./sessions.ts";

export interface ServeOptions {
  flags: LaunchFlags;
  /** Port of the page; undefined for no page. */
  web: number | undefined;
  /** Network address of the page. */
  address: string;
}

/** Hosts sessions until a request or a signal stops it; gives the exit code. */
export async function serve({ flags, web, address }: ServeOptions, io: Io): Promise<number> {
  const over = Promise.withResolvers<void>();
  const host = new HostedSessions(flags, io, over.resolve);
  const handle: Handler = (admitted) => answer(admitted, host);
  const { log } = io;
  const file = socketOf(io.home);
  const isAlive = async () => (await askServer(io.home, "/v1/sessions")) !== undefined;
  const socket = await listenAtSocket({ file, handle, log, isAlive });
  if (!socket.ok) {
    complain(io, socket.message);
    return exit.usage;
  }
  const tokens = createTokens();
  const page = web === undefined ? undefined : listenAtAddress({ address, port: web, tokens, handle, log });
  if (page && !page.ok) {
    complain(io, page.message);
    await socket.value.stop();
    return exit.usage;
  }
  using _signals = io.interrupts.handle(() => over.resolve());
  io.out.write(`pith serves ${file} (process ${process.pid})\n`);
  if (page) {
    io.out.write(`open   ${page.value}#${tokens.full}\n`);
    io.out.write(`watch  ${page.value}#${tokens.watch}\n`);
  }
  await io.out.flush();
  await over.promise;
  await host.closeAll();
  await socket.value.stop();
  return exit.finished;
}
