/** Derives a new check's slug from its name until the user types another slug. */
import { slugify } from '../../../../domain/check/slug.ts'

for (const slug of document.querySelectorAll<HTMLInputElement>('input[data-slug-of]')) {
  const name = slug.form?.elements.namedItem(slug.dataset.slugOf ?? '')
  if (!(name instanceof HTMLInputElement)) continue
  let isOwn = slug.value !== slugify(name.value)
  slug.addEventListener('input', () => {
    isOwn = slug.value !== ''
  })
  name.addEventListener('input', () => {
    if (!isOwn) slug.value = slugify(name.value)
  })
}
