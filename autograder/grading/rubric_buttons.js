// The buttons below an open question's answer: one click writes one line of nbgrader's comment.
(function (rubric) {
  "use strict";
  var question = rubric.dataset.question;
  var rows = Array.from(rubric.querySelectorAll(".rubric-item"));
  var $ = window.jQuery;
  // formgrader writes the answer to each save into the box, and the answer to an earlier one would undo a later click
  var latest = "", saving = 0;

  function comment() { return document.getElementById(question + "-comment"); }
  function score() { return document.getElementById(question); }
  function lines() { return (saving ? latest : comment().value).split("\n"); }
  function isOf(row) {
    return function (line) { return line[0] === "[" && line.replace(/^\[[\d.]+ of [\d.]+\] /, "") === row.dataset.name; };
  }
  function grow() {  // formgrader lets the box grow only for what is typed
    comment().style.height = "auto";
    comment().style.height = comment().scrollHeight + 4 + "px";
  }
  function decided() { return rows.map(function (row) { return lines().find(isOf(row)); }); }
  function points(line) { return parseFloat(line.slice(1)); }

  function show() {
    var found = decided();
    rows.forEach(function (row, place) {
      row.querySelectorAll("button").forEach(function (button) {
        var chosen = found[place] !== undefined && points(found[place]) === parseFloat(button.dataset.points);
        button.setAttribute("aria-pressed", chosen);
        $(button).toggleClass("btn-primary", chosen).toggleClass("btn-default", !chosen);
      });
    });
    var number = found.filter(Boolean).length;
    rubric.querySelector(".rubric-state").textContent = number + " of " + rows.length + " decided" +
      (number === rows.length ? "" : "; the score is written when all are");
  }

  function save() {
    function follow(event, request) {
      saving += 1;
      request.always(function () {
        saving -= 1;
        comment().value = latest;
        show();
      });
    }
    $(document).on("ajaxSend", follow);  // the save is sent while the event is handled
    $(comment()).trigger("change");
    $(document).off("ajaxSend", follow);
  }

  function decide(row, value) {
    var said = "[" + value + " of " + row.dataset.most + "] " + row.dataset.name;
    var kept = lines().filter(function (line) { return line.trim(); });
    var place = kept.findIndex(isOf(row));  // a change of mind stays where it was: what a person wrote may refer to it
    kept.splice(place < 0 ? kept.length : place, place < 0 ? 0 : 1, said);
    latest = comment().value = kept.join("\n");
    save();
    grow();
    var found = decided();
    if (found.every(Boolean)) {
      score().value = found.map(points).reduce(function (a, b) { return a + b; }, 0);
      $(score()).trigger("change");
    }
    show();
  }

  rows.forEach(function (row) {
    row.querySelectorAll("button").forEach(function (button) {
      button.addEventListener("click", function () { decide(row, button.dataset.points); });
    });
  });
  // formgrader takes Enter anywhere on the page for "back to the last input"
  rubric.addEventListener("keydown", function (event) { if (event.key === "Enter") event.stopPropagation(); });
  // formgrader scrolls to the input that the address names, and keeps it from one submission to the next. Its list of
  // submissions always names the first, which is not an input but a link.
  if (!/[?&]index=[1-9]/.test(location.search)) {
    history.replaceState(history.state, "", "?index=" + $(".tabbable").index(score()));
  }
  $(function () {
    comment().addEventListener("input", function () { latest = comment().value; show(); });
    show();
  });
  $(document).ajaxComplete(show);  // formgrader fetches comments after the page
})(document.currentScript.previousElementSibling);
