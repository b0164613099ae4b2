/** A button with `data-fill`, the values of fields as JSON, fills them in instead of sending its form. */

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('[data-fill]') : null
  const form = button?.form
  if (!form) return
  event.preventDefault()
  for (const [name, value] of Object.entries<string>(JSON.parse(button.dataset.fill ?? ''))) {
    const field = form.elements.namedItem(name)
    // Of radio buttons, the one with that value is checked.
    if (field && 'value' in field) field.value = value
  }
  const first = form.querySelector<HTMLElement>('input:checked')
  // The button disappears together with its proposal.
  if (button === document.activeElement) first?.focus()
  first?.dispatchEvent(new Event('input', { bubbles: true }))
})
