import { isIPv4, isIPv6 } from "node:net";

/** True for an address of the internet: not of this machine, its network, its cloud, and not reserved. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return isPublic4(address.split(".").map(Number));
  const groups = isIPv6(address) ? groupsOf(address) : undefined;
  if (!groups) return false;
  const [first = 0, second = 0] = groups;
  const inner = embedded(groups);
  if (inner) return isPublic4(inner);
  // Only what is given out to the world, without the parts that stand for something else (documentation, tunnels).
  return first >> 13 === 1 && !(first === 0x2001 && (second < 0x200 || second === 0xdb8)) && first !== 0x3fff;
}

/** True for an address that may be spoken to: of the internet, or of a private network where the user named its host. */
export const isReachable = (address: string, how: "far" | "near"): boolean =>
  !clouds.includes(address.toLowerCase()) && (isPublic(address) || (how === "near" && isPrivate(address)));

/** Says why an address is not spoken to, and what would change that. */
export function addressReason(address: string): string {
  if (clouds.includes(address.toLowerCase()) || linkLocal.test(address))
    return "it is the metadata address of a cloud, which hands out keys; pith never allows it";
  if (isPrivate(address))
    return `${address} is in a private network; to allow it, name the host in sandbox.domains of your own settings`;
  return `${address} is not an address on the internet`;
}

/** Addresses at which clouds tell their machines keys, beside those of the link. */
const clouds = ["100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"];
const linkLocal = /^169\.254\.|^fe[89ab]/i;

/** True for an address of a private network: not of this machine, its link or its cloud. */
function isPrivate(address: string): boolean {
  if (isIPv4(address)) {
    const [a = 0, b = 0] = address.split(".").map(Number);
    return (
      a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 100 && b >= 64 && b < 128)
    );
  }
  return isIPv6(address) && /^f[cd]/i.test(address);
}

function isPublic4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  if (a === 169 && b === 254) return false;
  if (a === 172 && b >= 16 && b < 32) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

/** The older address that some forms of the newer one hold: mapped, compatible, 6to4, NAT64 (of the world, not of a site). */
function embedded(groups: readonly number[]): number[] | undefined {
  const four = (at: number) => [groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]);
  const zeros = (count: number) => groups.slice(0, count).every((group) => group === 0);
  if (zeros(5) && (groups[5] === 0xffff || groups[5] === 0)) return four(6);
  if (groups[0] === 0x2002) return four(1);
  if (groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)) return four(6);
  return zeros(4) && groups[4] === 0xffff ? four(6) : undefined;
}

function groupsOf(address: string): number[] | undefined {
  const plain = (address.split("%")[0] ?? "").replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [(Number(a) << 8) | Number(b), (Number(c) << 8) | Number(d)].map((group) => group.toString(16)).join(":"),
  );
  const [left = "", right] = plain.split("::");
  const read = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [read(left), read(right ?? "")];
  const groups =
    right === undefined ? head : [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
  return groups.length === 8 ? groups : undefined;
}
