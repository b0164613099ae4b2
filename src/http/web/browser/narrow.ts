/** Typing into a field with `data-narrows` hides the items of the list with that id that don't have the text. */

document.addEventListener('input', ({ target: field }) => {
  const list = field instanceof HTMLInputElement && document.getElementById(field.dataset.narrows ?? '')
  if (!list) return
  const text = field.value.trim().toLowerCase()
  for (const item of list.children) item.toggleAttribute('hidden', !item.textContent.toLowerCase().includes(text))
  const nothing = document.querySelector(`[data-narrowed="${list.id}"]`)
  nothing?.toggleAttribute('hidden', list.querySelector(':scope > :not([hidden])') !== null)
})
/** The list is narrowed already, and what was switched in it would be lost with the page. */
document.addEventListener('submit', (event) => {
  if (event.target instanceof HTMLFormElement && event.target.querySelector('[data-narrows]')) event.preventDefault()
})
