/** A small job in a small repository, and how a model that can do it would do it. Fixed, as the rates are. */
export interface Task {
  name: string;
  prompt: string;
  files: Readonly<Record<string, string>>;
  steps: readonly Step[];
}

export type Step =
  | { do: "read"; path: string; sees: string }
  | { do: "write"; path: string; content: string }
  | { do: "run"; command: string };

const read = (path: string, sees: string): Step => ({ do: "read", path, sees });
const write = (path: string, ...lines: string[]): Step => ({ do: "write", path, content: `${lines.join("\n")}\n` });
const run = (command: string): Step => ({ do: "run", command });
const file = (...lines: string[]) => `${lines.join("\n")}\n`;

export const tasks: readonly Task[] = [
  {
    name: "sign",
    prompt: "The function subtract in src/math.js returns the wrong sign. Fix it and run check.js with node.",
    files: {
      "src/math.js": file(
        "exports.add = (a, b) => a + b;",
        "exports.subtract = (a, b) => b - a;",
        "exports.twice = (a) => 2 * a;",
      ),
      "check.js": file("require('node:assert').equal(require('./src/math.js').subtract(5, 3), 2);"),
    },
    steps: [
      read("src/math.js", "subtract"),
      read("check.js", "assert"),
      write(
        "src/math.js",
        "exports.add = (a, b) => a + b;",
        "exports.subtract = (a, b) => a - b;",
        "exports.twice = (a) => 2 * a;",
      ),
      run("node check.js"),
    ],
  },
  {
    name: "rename",
    prompt: "Rename the function fetchAll to loadAll in lib/api.py, and in main.py where it is used.",
    files: {
      "lib/api.py": file("def fetchAll(names):", "    return [n.strip() for n in names]"),
      "main.py": file("from lib.api import fetchAll", "", "print(fetchAll([' a ', 'b']))"),
    },
    steps: [
      run("ls -R"),
      read("lib/api.py", "fetchAll"),
      read("main.py", "fetchAll"),
      write("lib/api.py", "def loadAll(names):", "    return [n.strip() for n in names]"),
      write("main.py", "from lib.api import loadAll", "", "print(loadAll([' a ', 'b']))"),
    ],
  },
  {
    name: "readme",
    prompt: "Write a README.md with the name of the project from package.json as its title, and its description below.",
    files: {
      "package.json": file('{ "name": "heron", "description": "Counts birds at a lake.", "version": "2.1.0" }'),
    },
    steps: [read("package.json", "heron"), write("README.md", "# heron", "", "Counts birds at a lake.")],
  },
  {
    name: "ignore",
    prompt: "Add the folders build and coverage to .gitignore; keep what is there.",
    files: { ".gitignore": file("node_modules", "*.log") },
    steps: [
      run("ls -a"),
      read(".gitignore", "node_modules"),
      write(".gitignore", "node_modules", "*.log", "build", "coverage"),
    ],
  },
  {
    name: "port",
    prompt: "Change the port of the server from 3000 to 8080, in config.json and in docs/run.md.",
    files: {
      "config.json": file('{ "host": "localhost", "port": 3000 }'),
      "docs/run.md": file("# Running", "", "Open http://localhost:3000 in a browser."),
      "docs/other.md": file("# Other", "", "Nothing about ports."),
    },
    steps: [
      run("ls -R"),
      read("config.json", "3000"),
      read("docs/run.md", "3000"),
      write("config.json", '{ "host": "localhost", "port": 8080 }'),
      write("docs/run.md", "# Running", "", "Open http://localhost:8080 in a browser."),
    ],
  },
  {
    name: "off by one",
    prompt: "last(3) in list.py leaves out the newest entry. Find out why, repair it, and run list_test.py.",
    files: {
      "list.py": file("items = [1, 2, 3, 4, 5]", "", "def last(n):", "    return items[-n - 1:-1]"),
      "list_test.py": file("from list import last", "", "assert last(3) == [3, 4, 5], last(3)"),
    },
    steps: [
      read("list.py", "items"),
      read("list_test.py", "assert"),
      write("list.py", "items = [1, 2, 3, 4, 5]", "", "def last(n):", "    return items[-n:]"),
      run("python3 list_test.py"),
    ],
  },
  {
    name: "license",
    prompt: "Put a comment with the name of the license from LICENSE.txt on top of a.go and b.go.",
    files: {
      "LICENSE.txt": file("Apache License 2.0", "", "Some rights are reserved."),
      "a.go": file("package birds", "", "const A = 1"),
      "b.go": file("package birds", "", "const B = 2"),
    },
    steps: [
      read("LICENSE.txt", "Apache"),
      read("a.go", "birds"),
      read("b.go", "birds"),
      write("a.go", "// Apache License 2.0", "package birds", "", "const A = 1"),
      write("b.go", "// Apache License 2.0", "package birds", "", "const B = 2"),
    ],
  },
  {
    name: "split",
    prompt: "Move the class Stack from all.ts into a file stack.ts of its own, and import it in all.ts.",
    files: {
      "all.ts": file(
        "export class Stack {",
        "  items: number[] = [];",
        "  push(n: number) { this.items.push(n); }",
        "}",
        "export const empty = () => new Stack();",
      ),
    },
    steps: [
      read("all.ts", "Stack"),
      write(
        "stack.ts",
        "export class Stack {",
        "  items: number[] = [];",
        "  push(n: number) { this.items.push(n); }",
        "}",
      ),
      write("all.ts", 'import { Stack } from "./stack.ts";', "", "export const empty = () => new Stack();"),
      run("ls"),
    ],
  },
  {
    name: "constant",
    prompt: "tax.py and bill.py both say 0.19. Put the rate into rates.py as TAX and use it in both.",
    files: {
      "tax.py": file("def tax(sum):", "    return sum * 0.19"),
      "bill.py": file("def bill(sum):", "    return sum + sum * 0.19"),
    },
    steps: [
      read("tax.py", "0.19"),
      read("bill.py", "0.19"),
      write("rates.py", "TAX = 0.19"),
      write("tax.py", "from rates import TAX", "", "def tax(sum):", "    return sum * TAX"),
      write("bill.py", "from rates import TAX", "", "def bill(sum):", "    return sum + sum * TAX"),
    ],
  },
  {
    name: "changelog",
    prompt: "Raise the version in version.txt to 1.3.0 and add a line for it on top of the list in CHANGES.md.",
    files: {
      "version.txt": file("1.2.9"),
      "CHANGES.md": file("# Changes", "", "- 1.2.9 faster start", "- 1.2.8 first release"),
    },
    steps: [
      read("version.txt", "1.2.9"),
      read("CHANGES.md", "faster"),
      write("version.txt", "1.3.0"),
      write("CHANGES.md", "# Changes", "", "- 1.3.0", "- 1.2.9 faster start", "- 1.2.8 first release"),
    ],
  },
  {
    name: "guard",
    prompt: "average([]) in stats.js divides by zero. Let it return 0 for an empty list, and run node test.js.",
    files: {
      "stats.js": file("exports.average = (xs) => xs.reduce((a, b) => a + b, 0) / xs.length;"),
      "test.js": file("require('node:assert').equal(require('./stats.js').average([]), 0);"),
    },
    steps: [
      read("stats.js", "average"),
      run("node test.js"),
      write("stats.js", "exports.average = (xs) => (xs.length === 0 ? 0 : xs.reduce((a, b) => a + b, 0) / xs.length);"),
      run("node test.js"),
    ],
  },
  {
    name: "spelling",
    prompt: "Correct the spelling of recieve and seperate in docs/guide.md; change nothing else.",
    files: {
      "docs/guide.md": file("# Guide", "", "You recieve two files.", "Keep them in seperate folders.", "Done."),
    },
    steps: [
      read("docs/guide.md", "recieve"),
      write("docs/guide.md", "# Guide", "", "You receive two files.", "Keep them in separate folders.", "Done."),
    ],
  },
  {
    name: "flag",
    prompt: "Let greet.sh print its greeting in capitals when the first argument is --loud, then try it.",
    files: { "greet.sh": file("#!/bin/sh", 'echo "hello"') },
    steps: [
      read("greet.sh", "hello"),
      write("greet.sh", "#!/bin/sh", 'if [ "$1" = "--loud" ]; then echo "HELLO"; else echo "hello"; fi'),
      run("sh greet.sh --loud"),
    ],
  },
  {
    name: "header",
    prompt: "The table in data.csv has no header. The columns are name, count and place; see notes.txt. Add it.",
    files: {
      "data.csv": file("heron,3,north", "coot,12,south"),
      "notes.txt": file("Columns: name, count, place.", "Counted on a Sunday."),
    },
    steps: [
      read("notes.txt", "Columns"),
      read("data.csv", "heron"),
      write("data.csv", "name,count,place", "heron,3,north", "coot,12,south"),
    ],
  },
  {
    name: "remove",
    prompt: "Nobody calls oldSum in sums.js any more. Make sure of it, then remove it.",
    files: {
      "sums.js": file(
        "exports.sum = (xs) => xs.reduce((a, b) => a + b, 0);",
        "exports.oldSum = (xs) => eval(xs.join('+'));",
      ),
      "use.js": file("const { sum } = require('./sums.js');", "console.log(sum([1, 2]));"),
    },
    steps: [
      run("grep -rn oldSum ."),
      read("sums.js", "oldSum"),
      read("use.js", "sum"),
      write("sums.js", "exports.sum = (xs) => xs.reduce((a, b) => a + b, 0);"),
      run("node use.js"),
    ],
  },
  {
    name: "default",
    prompt: "Give connect in net.py a timeout of 10 seconds by default and pass it on to open_socket in sock.py.",
    files: {
      "net.py": file("from sock import open_socket", "", "def connect(host):", "    return open_socket(host)"),
      "sock.py": file("def open_socket(host):", "    return (host,)"),
    },
    steps: [
      read("net.py", "connect"),
      read("sock.py", "open_socket"),
      write("sock.py", "def open_socket(host, timeout):", "    return (host, timeout)"),
      write(
        "net.py",
        "from sock import open_socket",
        "",
        "def connect(host, timeout=10):",
        "    return open_socket(host, timeout)",
      ),
      run("python3 -c 'import net; print(net.connect(1))'"),
    ],
  },
  {
    name: "test",
    prompt: "There is no test for slug.js. Write slug.test.js with one for spaces and one for capitals, and run it.",
    files: { "slug.js": file("exports.slug = (title) => title.trim().toLowerCase().replace(/\\s+/g, '-');") },
    steps: [
      run("ls"),
      read("slug.js", "slug"),
      write(
        "slug.test.js",
        "const { equal } = require('node:assert');",
        "const { slug } = require('./slug.js');",
        "equal(slug(' a  b '), 'a-b');",
        "equal(slug('AbC'), 'abc');",
      ),
      run("node slug.test.js"),
    ],
  },
  {
    name: "german",
    prompt: "Übersetze die Texte in texte.json ins Deutsche; die Schlüssel bleiben.",
    files: { "texte.json": file('{ "save": "Save", "open": "Open", "size": "Size" }') },
    steps: [
      read("texte.json", "Save"),
      write("texte.json", '{ "save": "Speichern", "open": "Öffnen", "size": "Größe" }'),
    ],
  },
  {
    name: "workflow",
    prompt: "The workflow in ci.yml runs on Node 16. Use the version that .nvmrc names, also in Dockerfile.",
    files: {
      ".nvmrc": file("20"),
      "ci.yml": file("steps:", "  - uses: setup-node", "    with: { node-version: 16 }"),
      Dockerfile: file("FROM node:16", "COPY . .", 'CMD ["node", "main.js"]'),
    },
    steps: [
      run("cat .nvmrc"),
      read("ci.yml", "16"),
      read("Dockerfile", "16"),
      write("ci.yml", "steps:", "  - uses: setup-node", "    with: { node-version: 20 }"),
      write("Dockerfile", "FROM node:20", "COPY . .", 'CMD ["node", "main.js"]'),
    ],
  },
  {
    name: "index",
    prompt: "Write index.md with a list of links to all pages in pages/, by their titles.",
    files: {
      "pages/one.md": file("# The first lake", "", "Herons."),
      "pages/two.md": file("# The second lake", "", "Coots."),
    },
    steps: [
      run("ls pages"),
      read("pages/one.md", "first"),
      read("pages/two.md", "second"),
      write("index.md", "- [The first lake](pages/one.md)", "- [The second lake](pages/two.md)"),
    ],
  },
];

/** Files of the tree after the task. */
export const outcome = ({ files, steps }: Task): Record<string, string> => ({
  ...files,
  ...Object.fromEntries(steps.flatMap((step) => (step.do === "write" ? [[step.path, step.content]] : []))),
});
