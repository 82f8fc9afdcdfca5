// The least that answers a key: raw mode, and what was typed is written. `bun echo.ts <report file>`
process.stdin.setRawMode(true);
process.stdin.on("data", (typed) => process.stdout.write(typed));
process.stdout.write("ready");
