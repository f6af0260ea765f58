// Tells of each PowerShell script what the grammar cannot read in it, one error a line, and ends with 1 if there is any.
//
//   node check.mjs FILE...
//
// It is started in the directory that holds node_modules.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = path.resolve('node_modules');
const library = createRequire(modules + path.sep).resolve('web-tree-sitter');
const { Parser, Language } = await import(pathToFileURL(library).href);

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(path.join(modules, 'tree-sitter-powershell', 'tree-sitter-powershell.wasm')));

function* errorsBelow(node) {
  if (node.isError || node.isMissing) {
    const what = node.isMissing ? `missing ${node.type}` : `error near ${JSON.stringify(node.text.slice(0, 60))}`;
    yield `${node.startPosition.row + 1}:${node.startPosition.column + 1}: ${what}`;
  }
  for (const child of node.hasError ? node.children : []) {
    yield* errorsBelow(child);
  }
}

let failed = false;
for (const file of process.argv.slice(2)) {
  for (const error of errorsBelow(parser.parse(fs.readFileSync(file, 'utf8')).rootNode)) {
    console.log(`${file}:${error}`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
