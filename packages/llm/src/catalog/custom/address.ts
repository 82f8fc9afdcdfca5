import { apiNamed, apis } from "../../vendor/api.ts";
import type { FieldKind } from "./schema.ts";

/** An address; its holes `${NAME}` and `{NAME}` are filled from the environment. */
export const address: FieldKind<string> = {
  words: "an http or https address",
  fits: (value): value is string =>
    typeof value === "string" &&
    (/^\$\{\w+\}/.test(value) || /^https?:$/.test(URL.parse(value.replace(/\$?\{\w+\}/g, "1"))?.protocol ?? "")),
};

export const protocol: FieldKind<string> = {
  words: `one of ${apis.join(", ")}`,
  named: true,
  fits: (value): value is string => typeof value === "string" && apiNamed(value) !== undefined,
};
