/** Rights that a yes gives a command in the sandbox, for as long as it runs, beside those that it has there anyway. */
export interface CommandAccess {
  /** Says that it leaves the sandbox, or has the network of this machine there. */
  leaves?: "sandbox" | "network" | undefined;
  /** Folders that it may write. */
  writes: readonly string[];
  /** Hosts that it may reach. */
  hosts: readonly string[];
  /** Ports of this machine that it may reach. */
  ports: readonly number[];
}

/** Joins the rights that several reasons for a question give; undefined where none gives any. */
export const joinAccess = (all: readonly CommandAccess[]): CommandAccess | undefined => {
  const rights = all.flatMap(({ leaves, writes, hosts, ports }) => [leaves ?? [], writes, hosts, ports].flat());
  if (rights.length === 0) return undefined;
  const leaving = all.map(({ leaves }) => leaves);
  const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
  return {
    leaves: leaving.find((one) => one === "sandbox") ?? leaving.find((one) => one !== undefined),
    writes: unique(all.flatMap(({ writes }) => writes)),
    hosts: unique(all.flatMap(({ hosts }) => hosts)),
    ports: unique(all.flatMap(({ ports }) => ports)),
  };
};
