import { fileRuleList, ruleList } from "../../policy/rule/schema.ts";
import { choiceOf, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Approval" })({
  "approval.mode": {
    ...choiceOf(["ask", "write", "auto", "yolo", "plan"], "write"),
    safest: "ask",
    about: "What runs without asking; unset is write, and auto once the sandbox works (docs/approval.md).",
  },
  "approval.files": {
    ...fileRuleList,
    harmless: Array.isArray,
    about: "Files by pattern whose change needs approval (autoApprove: false) or none; the last match counts.",
  },
  "policy.rules": {
    ...ruleList,
    harmless: Array.isArray,
    about: "Rules for what runs, asks or never runs; a project's rules can only be stricter.",
  },
});
