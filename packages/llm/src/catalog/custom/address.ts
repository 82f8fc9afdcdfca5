import { field } from "../../field.ts";
import { apiNamed, apis } from "../../vendor/api.ts";

/** An address; its holes `${NAME}` and `{NAME}` are filled from the environment. */
export const address = field<string>(
  "an http or https address",
  (value) =>
    typeof value === "string" &&
    (/^\$\{\w+\}/.test(value) || /^https?:$/.test(URL.parse(value.replace(/\$?\{\w+\}/g, "1"))?.protocol ?? "")),
);

export const protocol = {
  ...field<string>(`one of ${apis.join(", ")}`, (value) => typeof value === "string" && apiNamed(value) !== undefined),
  named: true,
} as const;
