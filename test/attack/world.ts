import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";

const programs = ["bwrap", "nsenter", "unshare", "setpriv", "ip", "curl"];
export const noWorld = (...more: string[]): boolean => [...programs, ...more].some((name) => need(name) !== undefined);

/** The address that this machine has there: one of the internet, so that nothing is spared. */
export const address = "93.184.216.34";
const nobody = 65534;
const root = process.getuid?.() === 0;
export const people: readonly ("root" | "another user" | "a user")[] = root ? ["root", "another user"] : ["a user"];

/** A network of its own in which hosts of some names are this machine; programs run there as somebody. */
export function openWorld(hosts: readonly string[]) {
  // Not below /tmp, which is another folder behind the wall: what strangers wrote is to be read.
  const place = mkdtempSync(join(root ? "/srv" : (process.env.HOME ?? "/"), "pith-world-"));
  chmodSync(place, 0o777);
  const names = join(place, "hosts");
  writeFileSync(names, `127.0.0.1 localhost inner.test\n${address} ${hosts.join(" ")}\n`);
  return {
    place,
    async run(who: (typeof people)[number], argv: readonly string[]): Promise<unknown> {
      const reach = `ip link set lo up && ip addr add ${address}/32 dev lo`;
      const within = `mount --bind ${names} /etc/hosts && ${reach} && exec "$@"`;
      const as = who === "another user" ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
      const enter = [...as, "unshare", ...(who === "root" ? ["-mn"] : ["-Urmn"]), "sh", "-c", within, "sh"];
      const env = { PATH: process.env.PATH, HOME: place };
      const child = Bun.spawn([...enter, process.execPath, ...argv], { env, stdio: ["ignore", "pipe", "inherit"] });
      return JSON.parse(await new Response(child.stdout).text());
    },
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}
