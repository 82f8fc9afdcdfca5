import { join } from "node:path";
import { evaluate, spawn } from "../../platform.ts";
import type { AllowedHost } from "./domain.ts";
import { openProxy, type ProxyOptions } from "./proxy.ts";
import relay from "./relay-child.ts" with { type: "text" };

export interface GatewayOptions extends Omit<ProxyOptions, "socket" | "domains"> {
  /** A folder that commands do not see. */
  folder: string;
  /** Words before a program that is to be in the session's network. */
  enter: readonly string[];
  domains: readonly AllowedHost[];
}

/** The way of commands to hosts by name. */
export interface Gateway extends Disposable {
  /** Variables for programs that know how to use a proxy. */
  env: Readonly<Record<string, string>>;
}

/** A proxy outside, and a relay in the session's network that leads to it. */
export async function openGateway({
  folder,
  enter,
  domains,
  ...options
}: GatewayOptions): Promise<Gateway | undefined> {
  const proxy = await openProxy({ ...options, socket: join(folder, "gate"), domains: () => domains });
  const { argv, env } = evaluate(relay);
  const child = spawn([...enter, ...argv, proxy.socket], {
    cwd: "/",
    env,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  child.unref();
  let port = "";
  for await (const chunk of child.stdout) {
    port += Buffer.from(chunk).toString("latin1");
    if (port.includes("\n")) break;
  }
  const end = () => {
    child.kill("SIGKILL");
    proxy[Symbol.dispose]();
  };
  if (!/^\d+\n/.test(port)) {
    end();
    return undefined;
  }
  const url = `http://127.0.0.1:${Number.parseInt(port, 10)}`;
  const proxied = Object.fromEntries(
    names.flatMap((name) => [
      [name, url],
      [name.toUpperCase(), url],
    ]),
  );
  const direct = "localhost,127.0.0.1,::1";
  return {
    env: { ...proxied, no_proxy: direct, NO_PROXY: direct, NODE_USE_ENV_PROXY: "1" },
    [Symbol.dispose]: end,
  };
}

const names = ["http_proxy", "https_proxy", "all_proxy"];
