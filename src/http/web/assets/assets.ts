/** The files that pages load. Each file name contains a hash of the file's content, so browsers can cache the file for a year. */
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
  /** the file's name in its URL, such as `overdue.4f1c2a9b3d.css` */
  readonly fileName: string
  readonly type: string
  readonly bytes: Uint8Array
  /**
   * Compresses the file once, off the event loop, when a browser first requests it. Compressing at startup would use megabytes of memory
   * that the process would never release.
   */
  readonly packed: (encoding: Encoding) => Promise<Uint8Array>
}

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Icons for all states in a single image. The style sheet shows one icon of the image at a time. */
const STATES = asset('states.svg', 'image/svg+xml', states)

const ASSETS: Readonly<Record<AssetName, Asset>> = {
  'states.svg': STATES,
  // URLs in a style sheet are relative to the style sheet's own URL.
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

/** Icons, keyed by path. Browsers request `/favicon.ico` even if no page refers to it. */
export const FAVICONS = {
  '/favicon.svg': favicon,
  '/favicon-down.svg': faviconDown,
  '/favicon.ico': favicon,
} as const

/** Returns the file's path below SITE_ROOT. */
export function assetPath(name: AssetName): string {
  return `/assets/${ASSETS[name].fileName}`
}

interface FoundAsset {
  readonly asset: Asset
  /** true if the file name matches the current content, so that browsers may cache the file */
  readonly isCurrent: boolean
}

/**
 * Finds a file by its name, even if the name is from another version. During an upgrade, one instance may serve a page while another
 * instance receives the requests for the page's files. A page with another version's files works better than a page without files.
 * @returns null if no version has a file with this name
 */
export function findAsset(fileName: string): FoundAsset | null {
  const [, stem, ending] = /^(\w+)\.[0-9a-f]{10}\.(\w+)$/.exec(fileName) ?? []
  const [, asset] = Object.entries(ASSETS).find(([name]) => name === `${stem}.${ending}`) ?? []
  return asset ? { asset, isCurrent: asset.fileName === fileName } : null
}

/**
 * The 64 kB window is larger than the files, and the quality is below the maximum. With the default parameters, compression would use
 * megabytes of memory that the process would never release.
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
