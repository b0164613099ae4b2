/**
 * `bun run browser-script` writes the scripts of the pages: `src/http/web/assets/overdue.js.txt`, `status.js.txt` for status
 * pages, `wall.js.txt` for walls, `palette.js.txt` for the palette, `strips.js.txt` for the list of checks, `rhythm.js.txt` for the page of a check and `passkeys.js.txt` for forms with a passkey from the TypeScript in `src/http/web/browser/`, and `htmx.js.txt`, which is htmx with its extension for streams. The results are kept in the
 * repository, because bundling at the start would cost a server megabytes of memory. A test fails while one is out of date.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dir, '../src/http/web')
const HTMX = [require.resolve('htmx.org/dist/htmx.min.js'), require.resolve('htmx.org/dist/ext/hx-sse.min.js')]
/** Comments with the maps of the scripts, which are not served. */
const MAP_COMMENT = /\n\/\/# sourceMappingURL=.*/g

/**
 * Bundles one classic script in a scope of its own.
 * @param entry the file in `browser/` that imports the others
 * @throws AggregateError when a file can't be read as TypeScript
 */
export async function browserScript(
  entry: 'index.ts' | 'status.ts' | 'passkeys.ts' | 'palette/index.ts' | 'rhythm.ts' | 'strips.ts' | 'wall/index.ts',
): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(WEB, 'browser', entry)],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  return (await Promise.all(outputs.map((output) => output.text()))).join('')
}

/** Returns htmx as released. */
export async function htmxScript(): Promise<string> {
  const texts = await Promise.all(HTMX.map((file) => Bun.file(file).text()))
  return texts.map((text) => `${text.replace(MAP_COMMENT, '').trim()}\n`).join('')
}

if (import.meta.main) {
  writeFileSync(join(WEB, 'assets/overdue.js.txt'), await browserScript('index.ts'))
  writeFileSync(join(WEB, 'assets/status.js.txt'), await browserScript('status.ts'))
  writeFileSync(join(WEB, 'assets/passkeys.js.txt'), await browserScript('passkeys.ts'))
  writeFileSync(join(WEB, 'assets/palette.js.txt'), await browserScript('palette/index.ts'))
  writeFileSync(join(WEB, 'assets/strips.js.txt'), await browserScript('strips.ts'))
  writeFileSync(join(WEB, 'assets/rhythm.js.txt'), await browserScript('rhythm.ts'))
  writeFileSync(join(WEB, 'assets/wall.js.txt'), await browserScript('wall/index.ts'))
  writeFileSync(join(WEB, 'assets/htmx.js.txt'), await htmxScript())
}
