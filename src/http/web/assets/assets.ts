/** The files that pages load. Their names contain a hash of their content, so browsers keep them for a year. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AssetName } from '../href.ts'
import type { Encoding } from '../packing.ts'
import { REFERENCE_STYLE, STATUS_STYLE, STYLE, WALL_STYLE } from '../styles/index.ts'
import favicon from './favicon.svg' with { type: 'text' }
import faviconDown from './favicon-down.svg' with { type: 'text' }
import htmx from './htmx.js.txt' with { type: 'text' }
import script from './overdue.js.txt' with { type: 'text' }
import paletteScript from './palette.js.txt' with { type: 'text' }
import passkeysScript from './passkeys.js.txt' with { type: 'text' }
import rhythmScript from './rhythm.js.txt' with { type: 'text' }
import states from './states.svg' with { type: 'text' }
import statusScript from './status.js.txt' with { type: 'text' }
import stripsScript from './strips.js.txt' with { type: 'text' }
import wallScript from './wall.js.txt' with { type: 'text' }

interface Asset {
  /** such as `overdue.4f1c2a9b3d.css` */
  readonly fileName: string
  readonly type: string
  readonly bytes: Uint8Array
  /**
   * Compresses the file once, off the event loop, for the first browser that requests it. At the start, before any request, this would take
   * megabytes, which the process keeps.
   */
  readonly packed: (encoding: Encoding) => Promise<Uint8Array>
}

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Shapes of the states side by side, from which the style sheet cuts cells. */
const STATES = asset('states.svg', 'image/svg+xml', states)

const ASSETS: Readonly<Record<AssetName, Asset>> = {
  'states.svg': STATES,
  // Addresses in a style sheet are relative to its own.
  'overdue.css': asset('overdue.css', CSS, STYLE.replaceAll('states.svg', STATES.fileName)),
  'reference.css': asset('reference.css', CSS, REFERENCE_STYLE),
  'status.css': asset('status.css', CSS, STATUS_STYLE),
  'wall.css': asset('wall.css', CSS, WALL_STYLE),
  'overdue.js': asset('overdue.js', JAVASCRIPT, script),
  'status.js': asset('status.js', JAVASCRIPT, statusScript),
  'passkeys.js': asset('passkeys.js', JAVASCRIPT, passkeysScript),
  'palette.js': asset('palette.js', JAVASCRIPT, paletteScript),
  'rhythm.js': asset('rhythm.js', JAVASCRIPT, rhythmScript),
  'strips.js': asset('strips.js', JAVASCRIPT, stripsScript),
  'wall.js': asset('wall.js', JAVASCRIPT, wallScript),
  'htmx.js': asset('htmx.js', JAVASCRIPT, htmx),
}

/** Icons by path. Browsers request the last one on their own. */
export const FAVICONS = {
  '/favicon.svg': favicon,
  '/favicon-down.svg': faviconDown,
  '/favicon.ico': favicon,
} as const

/** Returns the path of the file, below SITE_ROOT. */
export function assetPath(name: AssetName): string {
  return `/assets/${ASSETS[name].fileName}`
}

interface FoundAsset {
  readonly asset: Asset
  /** true: the name is of the current content, so browsers may keep the file */
  readonly isCurrent: boolean
}

/**
 * Finds a file also by its name in another version. During an upgrade, one instance sends a page and another one gets the requests for its
 * files: a style sheet or script of the next version is better than none.
 * @returns null for a name that no file has in any version
 */
export function findAsset(fileName: string): FoundAsset | null {
  const [, stem, ending] = /^(\w+)\.[0-9a-f]{10}\.(\w+)$/.exec(fileName) ?? []
  const [, asset] = Object.entries(ASSETS).find(([name]) => name === `${stem}.${ending}`) ?? []
  return asset ? { asset, isCurrent: asset.fileName === fileName } : null
}

/**
 * A window of 64 kB, which is larger than the files, and not the highest quality: the default parameters take megabytes, which the process
 * would keep.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_LGWIN]: 16, [constants.BROTLI_PARAM_QUALITY]: 9 } }

const PACK: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

function asset(name: AssetName, type: string, text: string): Asset {
  const bytes = new TextEncoder().encode(text)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  const made: Partial<Record<Encoding, Promise<Uint8Array>>> = {}
  return {
    fileName: name.replace('.', `.${hash}.`),
    type,
    bytes,
    packed(encoding) {
      made[encoding] ??= PACK[encoding](bytes)
      return made[encoding]
    },
  }
}
