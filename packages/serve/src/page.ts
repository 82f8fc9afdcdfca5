import { createHash } from "node:crypto";
import script from "./page.script.txt" with { type: "text" };
import style from "./page.style.txt" with { type: "text" };

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Serves the page: one file that talks only to the server it came from. */
export function pageResponse(): Response {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>pith</title><style>${style}</style></head>
<body>
<header><h1>pith</h1><select id="sessions" aria-label="Session"></select><span id="state" role="status">…</span>
<button id="stop" type="button" disabled>Stop</button></header>
<main aria-live="polite"></main>
<div id="waiting" aria-live="polite"></div>
<div id="asked" aria-live="assertive"></div>
<footer><form id="form" hidden></form>
<textarea id="text" form="form" rows="2" placeholder="Say something" aria-label="Say something"></textarea>
<button type="submit" form="form">Send</button></footer>
<script>${script}</script>
</body></html>
`;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
