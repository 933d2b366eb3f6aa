document.querySelector("h1").textContent = JSON.parse(document.getElementById("data").textContent).text;
