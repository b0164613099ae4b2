/**
 * Narrows a list while the user types into a field with `data-narrows`: items that don't contain the text are hidden. The attribute's value
 * is the list's id.
 */

document.addEventListener('input', ({ target: field }) => {
  const list = field instanceof HTMLInputElement && document.getElementById(field.dataset.narrows ?? '')
  if (!list) return
  const text = field.value.trim().toLowerCase()
  for (const item of list.children) item.toggleAttribute('hidden', !item.textContent.toLowerCase().includes(text))
  const nothing = document.querySelector(`[data-narrowed="${list.id}"]`)
  nothing?.toggleAttribute('hidden', list.querySelector(':scope > :not([hidden])') !== null)
})
/**
 * Prevents Enter from submitting the form. The list has already been narrowed, and submitting would discard switches that the user has
 * changed.
 */
document.addEventListener('submit', (event) => {
  if (event.target instanceof HTMLFormElement && event.target.querySelector('[data-narrows]')) event.preventDefault()
})
