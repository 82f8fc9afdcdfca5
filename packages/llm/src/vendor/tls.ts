import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Route } from "../route/route.ts";
import type { Env } from "./api.ts";

/** Client certificate and additional authorities, each a PEM file, or PEM with `\n` for line ends. */
export function tlsFrom(env: Env): Result<Route["tls"], "credential"> {
  try {
    const [cert, key, ca] = ["CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY", "NODE_EXTRA_CA_CERTS"].map((name) =>
      pemOf(env[name]),
    );
    if ((cert === undefined) !== (key === undefined))
      return fail(
        "credential",
        "CLAUDE_CODE_CLIENT_CERT and CLAUDE_CODE_CLIENT_KEY go together: one of them is not set",
      );
    if (cert && key && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      return fail("credential", "CLAUDE_CODE_CLIENT_KEY is not the key of CLAUDE_CODE_CLIENT_CERT");
    }
    return ok(cert || ca ? { ...(cert && key ? { cert, key } : {}), ...(ca ? { ca } : {}) } : undefined);
  } catch (error) {
    return fail("credential", `the certificates of this machine cannot be read: ${messageOf(error).slice(0, 200)}`);
  }
}

function pemOf(setting: string | undefined): string | undefined {
  const text = setting?.trim();
  if (!text) return undefined;
  return text.startsWith("-----BEGIN") ? text.replaceAll("\\n", "\n") : readFileSync(text, "utf8");
}
