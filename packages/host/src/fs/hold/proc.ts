import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { closing, tryOr } from "@pith/kit";
import { checkName, joined, type Name, type Names, toLook, type Way } from "./held.ts";

const pathOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

/** The way by names of handles: `/proc/self/fd/5/name` is looked up in what the handle 5 has open. */
export const proc: Way = {
  name: "proc",
  toPass: (toLook ?? 0) | (constants.O_DIRECTORY ?? 0),
  straight(real, flags) {
    const fd = tryOr(() => openSync(real, flags));
    if (fd === undefined) return undefined;
    const led = tryOr(() => readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" }));
    if (led?.equals(Buffer.from(real))) return fd;
    closeSync(fd);
    return undefined;
  },
  names: (fd) => namesBy((name) => joined(`/proc/self/fd/${fd}`, name), "proc"),
  pathOf,
  lend: (fd, _, use) => use(pathOf(fd)),
};

/** The verbs by paths: `at` gives the path of a name. */
export function namesBy(at: (name: Name) => Name, way: "proc" | "path"): Names {
  const place = (name: Name): Name => {
    checkName(name);
    return at(name);
  };
  return {
    open: (name, flags, mode) => openSync(place(name), flags | constants.O_NOFOLLOW, mode),
    make: (name, mode) => void mkdirSync(place(name), mode),
    rename: (from, to) => renameSync(place(from), place(to)),
    moveTo: (name, path) => renameSync(place(name), path),
    remove: (name, what) => (what === "folder" ? rmdirSync(place(name)) : unlinkSync(place(name))),
    link: (from, to) => linkSync(place(from), place(to)),
    makeLink: (name, target) => symlinkSync(Buffer.from(target), place(name)),
    stat: (name, of) =>
      of === "target"
        ? statSync(place(name), { bigint: true, throwIfNoEntry: false })
        : lstatSync(place(name), { bigint: true, throwIfNoEntry: false }),
    readLink: (name) => readlinkSync(place(name), { encoding: "buffer" }),
    mustBeWritable: (name) => accessSync(place(name), constants.W_OK),
    setMode(name, mode) {
      if (way === "proc") {
        const fd = openSync(place(name), toLook ?? constants.O_RDONLY);
        using _ = closing(fd);
        chmodSync(`/proc/self/fd/${fd}`, mode);
      } else if (!lstatSync(place(name)).isSymbolicLink()) chmodSync(place(name), mode);
    },
    list() {
      const entries = readdirSync(at("."), { withFileTypes: true });
      if (!entries.some(({ name }) => name.includes("\ufffd")))
        return entries.map((entry) => ({ name: Buffer.from(entry.name), isLink: entry.isSymbolicLink() }));
      // Names that are not UTF-8 are told as bytes only without their types.
      return readdirSync(at("."), { encoding: "buffer" }).map((name) => ({
        name,
        isLink: lstatSync(at(name), { throwIfNoEntry: false })?.isSymbolicLink() === true,
      }));
    },
  };
}
