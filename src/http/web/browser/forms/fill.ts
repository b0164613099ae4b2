/** A button with `data-fill` fills in fields instead of sending its form. The attribute contains their values as JSON. */

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('[data-fill]') : null
  const form = button?.form
  if (!form) return
  event.preventDefault()
  for (const [name, value] of Object.entries<string>(JSON.parse(button.dataset.fill ?? ''))) {
    const field = form.elements.namedItem(name)
    // In a group of radio buttons, check the one with this value.
    if (field && 'value' in field) field.value = value
  }
  const first = form.querySelector<HTMLElement>('input:checked')
  // The button is removed together with the proposal that it belongs to.
  if (button === document.activeElement) first?.focus()
  first?.dispatchEvent(new Event('input', { bubbles: true }))
})
