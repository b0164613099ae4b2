/**
 * Narrows a list while the user types into a field with `data-narrows`: items that don't contain the text are hidden. The attribute
 * contains the id of the list.
 */

document.addEventListener('input', ({ target: field }) => {
  const list = field instanceof HTMLInputElement && document.getElementById(field.dataset.narrows ?? '')
  if (!list) return
  const text = field.value.trim().toLowerCase()
  for (const item of list.children) item.toggleAttribute('hidden', !item.textContent.toLowerCase().includes(text))
  const nothing = document.querySelector(`[data-narrowed="${list.id}"]`)
  nothing?.toggleAttribute('hidden', list.querySelector(':scope > :not([hidden])') !== null)
})
/** Prevents the form from being submitted on Enter. The list is narrowed already, and changed switches in it would be lost. */
document.addEventListener('submit', (event) => {
  if (event.target instanceof HTMLFormElement && event.target.querySelector('[data-narrows]')) event.preventDefault()
})
