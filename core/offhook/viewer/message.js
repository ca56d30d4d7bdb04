crumb();
document.getElementById("head").append(make("h1", { text: document.title.split(" · ")[0] }));
document.getElementById("main").append(make("p", { class: "note", text: data.message }));
