/** Fills an empty field for a time zone with the browser's. */

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone]')) {
  if (field.value === '') field.value = Intl.DateTimeFormat().resolvedOptions().timeZone
}
