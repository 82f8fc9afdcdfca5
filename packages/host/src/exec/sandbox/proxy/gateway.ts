import { join } from "node:path";
import { openProxy, type ProxyOptions } from "./proxy.ts";
import { openRelay } from "./relay.ts";

export interface GatewayOptions extends Omit<ProxyOptions, "socket"> {
  /** A folder that commands do not see. */
  folder: string;
  /** Words before a program that is to be in the session's network. */
  enter: readonly string[];
}

/** The way of commands to hosts by name. */
export interface Gateway extends Disposable {
  /** Variables for programs that know how to use a proxy. */
  env: Readonly<Record<string, string>>;
}

/** A proxy outside, and a relay in the session's network that leads to it. */
export async function openGateway({ folder, enter, ...options }: GatewayOptions): Promise<Gateway | undefined> {
  const proxy = await openProxy({ ...options, socket: join(folder, "gate") });
  const relay = await openRelay({ enter, socket: proxy.socket });
  const end = () => {
    relay?.[Symbol.dispose]();
    proxy[Symbol.dispose]();
  };
  if (!relay) {
    end();
    return undefined;
  }
  const url = `http://127.0.0.1:${relay.port}`;
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
