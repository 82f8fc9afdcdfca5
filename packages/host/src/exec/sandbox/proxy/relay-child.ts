// Runs in the network of a session, as a program of its own: it imports nothing of ours. It takes connections there and
// hands them to the proxy outside, by a socket that commands cannot see; it understands nothing of what it carries. It
// says its port, and ends with its input.
import { createReadStream, writeSync } from "node:fs";
import { connect, createServer } from "node:net";

/** As a module of ours it is only its text. */
export default "";

const path = process.argv.at(-1) ?? "";
const server = createServer({ allowHalfOpen: true }, (client) => {
  const far = connect({ path, allowHalfOpen: true });
  client.pipe(far);
  far.pipe(client);
  for (const [one, other] of [
    [client, far],
    [far, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
});
server.listen(0, "127.0.0.1", () => {
  const at = server.address();
  writeSync(1, `${typeof at === "object" && at ? at.port : 0}\n`);
});
// Nobody says anything; it is the end that counts.
createReadStream("", { fd: 0 })
  .resume()
  .on("close", () => process.exit(0));
