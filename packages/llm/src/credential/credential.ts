import { fail, ok, type Result } from "@pith/kit";

/** The key of a vendor, if there is one. The environment is the only source so far; a store will stand before it. */
export function keyFor(vendor: string, env: Readonly<Record<string, string | undefined>>): Result<string | undefined, "credential"> {
  const variable = keyVariable(vendor);
  // A key read from a file ends with a newline more often than not.
  const key = env[variable]?.trim();
  if (!key) return ok(undefined);
  // Said here, without the key: the runtime's own complaint about a header may quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) return fail("credential", `${variable} holds characters that no key has (spaces, line breaks or letters beyond ASCII)`);
  return ok(key);
}

export const keyVariable = (vendor: string): string => variables[vendor] ?? `${vendor.toUpperCase()}_API_KEY`;

const variables: Readonly<Record<string, string>> = { openai: "OPENAI_API_KEY" };
