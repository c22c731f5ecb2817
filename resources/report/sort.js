// A click on the heading of a column sorts its table: first the largest number or the first word, then the other way.
document.querySelectorAll("table.sortable th button").forEach(function (button) {
  button.addEventListener("click", function () {
    var head = button.closest("th"), body = head.closest("table").tBodies[0];
    var column = head.cellIndex, isNumber = head.classList.contains("number");
    var down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : isNumber;
    function value(row) {
      var shown = row.cells[column].dataset.value;
      return isNumber ? (shown === "" ? NaN : Number(shown)) : shown;
    }
    function order(a, b) {
      var x = value(a), y = value(b);
      if (!isNumber) return (down ? -1 : 1) * x.localeCompare(y);
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y); // what is missing stays at the end
      return (down ? -1 : 1) * (x - y);
    }
    Array.from(body.rows).sort(order).forEach(function (row) { body.appendChild(row); });
    head.parentNode.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  });
});
