/** The status page of the demo, for the customers of the bookshop. */
import type { Actor } from '../../src/domain/actor.ts'
import type { Check } from '../../src/domain/check/check.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { addSection, saveSection, saveSettings } from '../../src/services/status-pages/status-pages.ts'

/** Slug of the check, public name, text. */
type Shown = readonly [slug: string, name: string, text: string]

const SECTIONS: readonly (readonly [name: string, services: readonly Shown[]])[] = [
  [
    'Shop',
    [
      ['search-index', 'Website search', 'New books are found within a few hours.'],
      ['stock-london', 'Stock levels', 'Stock numbers may be up to six hours old.'],
      ['payment-settlement', 'Payments', ''],
      ['recommendations', 'Recommendations', ''],
    ],
  ],
  [
    'For publishers',
    [
      ['cover-images', 'Cover images', ''],
      ['currency-rates', 'Prices', 'Prices are never more than a day old.'],
    ],
  ],
  ['Care of your data', [['shop-database-backup', 'Nightly backup', '']]],
]

/** @param checks all checks of the project */
export async function makeStatusPage(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  checks: readonly Check[],
): Promise<void> {
  await saveSettings(deps, actor, {
    slug: 'harbour-books',
    title: 'Harbour Books status',
    text: 'Are our overnight and background jobs running?',
    tz: 'Europe/Riga',
    isPublic: true,
    isIndexed: true,
  })
  for (const [name, services] of SECTIONS) {
    const { id } = await addSection(deps, actor, { name, tag: null })
    const rows = services.flatMap(([slug, publicName, text]) => {
      const check = checks.find((each) => each.slug === slug)
      return check ? [{ publicId: check.publicId, isShown: true, name: publicName, text }] : []
    })
    await saveSection(deps, actor, id, { name, rows, up: null })
  }
}
