import { codeOf, type Fail, fail, messageOf } from "@pith/kit";

/** Why something could not be done to a path; the kind says what the caller can do about it. */
export type FsKind =
  | "missing"
  | "denied"
  | "directory" // a file was wanted
  | "not-directory" // a directory was wanted, or a file stands in the way
  | "special" // a pipe, socket or device: reading it could wait for ever
  | "binary"
  | "large"
  | "changed" // not the file that was read
  | "full"
  | "invalid" // no file can have this name
  | "aborted"
  | "io";

/** The failure behind a thrown system error. */
export function fsFailure(path: string, thrown: unknown): Fail<FsKind> {
  const known = errnos[codeOf(thrown) ?? ""];
  return known ? fail(known[0], `${path}: ${known[1]}`) : fail("io", `${path}: ${messageOf(thrown)}`);
}

/** An error as the system throws it, so that it is told as one. */
export const faultOf = (
  code: "EACCES" | "ECHANGED" | "EINVALID" | "ELARGE" | "ELOOP" | "ENAMETOOLONG" | "ENOENT",
): Error => Object.assign(new Error(code), { code });

const errnos: Readonly<Record<string, readonly [FsKind, string]>> = {
  ENOENT: ["missing", "no such file or directory"],
  EACCES: ["denied", "permission denied"],
  EPERM: ["denied", "operation not permitted"],
  EROFS: ["denied", "read-only file system"],
  EISDIR: ["directory", "is a directory"],
  ENOTDIR: ["not-directory", "a part of the path is not a directory"],
  EEXIST: ["not-directory", "a file stands in the way"],
  ELOOP: ["invalid", "too many symbolic links"],
  ENAMETOOLONG: ["invalid", "name too long"],
  ERR_INVALID_ARG_VALUE: ["invalid", "not a valid path"],
  EINVALID: ["invalid", "Windows has no such file name"],
  ENXIO: ["special", "is a special file"],
  ECHANGED: ["changed", "was changed by something else in the meantime"],
  ENOSPC: ["full", "no space left on the device"],
  EDQUOT: ["full", "disk quota exceeded"],
  ELARGE: ["large", "is too large to be written in place, which its other names, its owner or its directory ask for"],
  EFBIG: ["full", "file too large for the file system"],
};
